-- The audit log: who changed what, and from where. Every statement that changes a table named below is written down by a
-- trigger at the end of its own transaction, whoever made it. A test holds the triggers against `audit.nouns.ts`.
--
-- Who acts, the server says before such a statement, in the setting `balcao.actor`; without it the server itself did.
CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is only added to' USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER "audit_entries_kept" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();
--> statement-breakpoint
-- The owner of a table may be refused, too. It takes more than a statement to get around it.
REVOKE UPDATE, DELETE, TRUNCATE ON "audit_entries" FROM CURRENT_USER;
--> statement-breakpoint
-- What of an entry its hash covers: all, and the hash of the one before. In plpgsql, as `audit_company_stays` below: a
-- function in SQL that is called from one is planned anew each time: that was a third of what an entry takes.
CREATE FUNCTION audit_hash(e "audit_entries") RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN encode(sha256(convert_to(jsonb_build_array(e."companyId", e."seq", extract(epoch FROM e."at"), e."actorKind",
    e."actorId", e."actorName", e."operator", e."action", e."entity", e."entityId", e."before", e."after", e."ip",
    e."prevHash")::text, 'UTF8')), 'hex');
END $$;
--> statement-breakpoint
-- Adds an entry. The last one of the company is locked until the commit: entries follow each other in the order of their
-- transactions. The triggers do it when all else of theirs is done, so nobody waits longer than a commit takes. Every row
-- is found by its key, so plans are kept here and below: made anew each time, they took 0.12 ms of a save.
CREATE FUNCTION audit_add(company integer, action text, entity text, subject text, old jsonb, new jsonb, who jsonb DEFAULT NULL)
RETURNS bigint LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  e "audit_entries";
  actor jsonb := coalesce(who, nullif(current_setting('balcao.actor', true), '')::jsonb, '{"kind":"system"}'::jsonb);
BEGIN
  INSERT INTO "audit_heads" AS h ("companyId", "seq", "hash") VALUES (company, 1, '')
    ON CONFLICT ("companyId") DO UPDATE SET "seq" = h."seq" + 1
    RETURNING h."seq", h."hash" INTO e."seq", e."prevHash";
  e."companyId" := company;
  e."at" := clock_timestamp();
  e."actorKind" := actor->>'kind';
  e."actorId" := (actor->>'id')::integer;
  e."actorName" := actor->>'name';
  e."operator" := nullif(actor->'operator', 'null'::jsonb);
  e."action" := action;
  e."entity" := entity;
  e."entityId" := subject;
  e."before" := old;
  e."after" := new;
  e."ip" := actor->>'ip';
  e."hash" := audit_hash(e);
  INSERT INTO "audit_entries" SELECT e.*;
  UPDATE "audit_heads" SET "hash" = e."hash" WHERE "companyId" = company;
  RETURN e."seq";
END $$;
--> statement-breakpoint
-- A value as it is shown: of a secret only that there is one, of a long text its beginning.
CREATE FUNCTION audit_shown(value jsonb, secret boolean) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN value IS NULL OR value = 'null' OR value = '""' THEN value
    WHEN secret THEN '"••••••"'::jsonb
    WHEN jsonb_typeof(value) = 'string' AND length(value #>> '{}') > 2000
      THEN to_jsonb(left(value #>> '{}', 2000) || '…')
    ELSE value
  END
$$;
--> statement-breakpoint
-- Nothing is noted of what goes because its company goes: that is one entry, of the company.
CREATE FUNCTION audit_company_stays(company integer) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM "companies" WHERE "id" = company AND "removal" IS NULL);
END $$;
--> statement-breakpoint
-- Arguments: what it is called, the columns that are shown, the columns that are masked.
CREATE FUNCTION audit_row() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  noun text := TG_ARGV[0];
  was jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
  becomes jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
  row_ jsonb := coalesce(becomes, was);
  -- What has no company is the operator's; so is it which companies there are.
  company integer := CASE WHEN noun = 'company' AND TG_OP = 'UPDATE' THEN (row_->>'id')::integer
    ELSE coalesce((row_->>'companyId')::integer, 1) END;
  subject text := coalesce(row_->>'id', row_->>'key', row_->>'place', row_->>'companyId');
  secrets text[] := string_to_array(TG_ARGV[2], ',');
  act text := lower(TG_OP);
  old_ jsonb := '{}';
  new_ jsonb := '{}';
  field text;
BEGIN
  IF noun = 'company' THEN
    -- That it is to go was noted when it was wished.
    IF was->>'removal' IS NOT NULL THEN RETURN NULL; END IF;
    IF becomes->>'removal' IS NOT NULL THEN
      PERFORM audit_add(1, 'delete', noun, subject, jsonb_build_object('name', was->'name'), NULL);
      RETURN NULL;
    END IF;
  ELSIF NOT audit_company_stays(company) THEN
    RETURN NULL;
  END IF;
  IF noun = 'setting' AND subject = ANY (ARRAY['ipixc', 'tokenixc', 'ipmkauth', 'clientidmkauth', 'clientsecretmkauth', 'asaas'])
    THEN secrets := secrets || 'value'::text; END IF;
  FOREACH field IN ARRAY string_to_array(TG_ARGV[1], ',') || string_to_array(TG_ARGV[2], ',') LOOP
    CONTINUE WHEN TG_OP = 'UPDATE' AND was->field IS NOT DISTINCT FROM becomes->field;
    old_ := old_ || jsonb_build_object(field, audit_shown(was->field, field = ANY (secrets)));
    new_ := new_ || jsonb_build_object(field, audit_shown(becomes->field, field = ANY (secrets)));
  END LOOP;
  IF TG_OP = 'UPDATE' AND new_ = '{}' THEN RETURN NULL; END IF;
  act := CASE
    WHEN act = 'insert' THEN 'create'
    WHEN act = 'update' AND noun = 'flow' AND new_ ? 'versionId' THEN 'publish'
    WHEN act = 'update' AND noun = 'apiKey' AND new_ ? 'revokedAt' THEN 'revoke'
    WHEN act = 'update' AND noun = 'campaign' AND new_ ? 'status' THEN CASE new_->>'status'
      WHEN 'EM_ANDAMENTO' THEN 'start' WHEN 'CANCELADA' THEN 'cancel' WHEN 'PAUSADA' THEN 'pause'
      WHEN 'FINALIZADA' THEN 'finish' ELSE act END
    ELSE act
  END;
  IF TG_OP = 'INSERT' THEN
    -- Its queues come with it, and are told once.
    IF noun = 'user' THEN
      new_ := new_ || jsonb_build_object('queueIds', ARRAY(SELECT "queueId" FROM "user_queues" WHERE "userId" = subject::integer ORDER BY 1));
    ELSIF noun = 'connection' THEN
      new_ := new_ || jsonb_build_object('queueIds', ARRAY(SELECT "queueId" FROM "whatsapp_queues" WHERE "whatsappId" = subject::integer ORDER BY 1));
    END IF;
    PERFORM set_config('balcao.made', concat(current_setting('balcao.made', true), ' ', noun, ':', subject, ';'), true);
  END IF;
  PERFORM audit_add(company, act, noun, subject,
    CASE WHEN TG_OP <> 'INSERT' THEN old_ END, CASE WHEN TG_OP <> 'DELETE' THEN new_ END);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- A queue that somebody, or a connection, has or has no more. Arguments: whose it is, and the column that says which.
CREATE FUNCTION audit_link() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  was jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
  becomes jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
  row_ jsonb := coalesce(becomes, was);
  company integer := (row_->>'companyId')::integer;
  subject text := row_->>TG_ARGV[1];
  owned boolean;
BEGIN
  IF position(concat(' ', TG_ARGV[0], ':', subject, ';') IN coalesce(current_setting('balcao.made', true), '')) > 0
    OR NOT audit_company_stays(company) THEN RETURN NULL; END IF;
  IF TG_OP = 'DELETE' THEN
    -- With the queue, or with whose it was, it goes by itself.
    owned := CASE TG_ARGV[0] WHEN 'user' THEN EXISTS (SELECT FROM "users" WHERE "id" = subject::integer)
      ELSE EXISTS (SELECT FROM "whatsapps" WHERE "id" = subject::integer) END;
    IF NOT owned OR NOT EXISTS (SELECT FROM "queues" WHERE "id" = (was->>'queueId')::integer) THEN RETURN NULL; END IF;
  END IF;
  PERFORM audit_add(company, 'update', TG_ARGV[0], subject,
    jsonb_build_object('queueId', was->'queueId'), jsonb_build_object('queueId', becomes->'queueId'));
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Logins and how they end. That the next login ends the one before is the rule of one login at a time, and not noted.
CREATE FUNCTION audit_session() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  actor jsonb := nullif(current_setting('balcao.actor', true), '')::jsonb;
  operator jsonb;
BEGIN
  IF NOT audit_company_stays(NEW."companyId") THEN RETURN NULL; END IF;
  -- The operator in a user's name: the company reads of it, and so does the operator's own log.
  IF NEW."operatorId" IS NOT NULL THEN
    operator := jsonb_build_object('id', NEW."operatorId", 'name', NEW."operatorName", 'reason', NEW."reason");
    IF TG_OP = 'INSERT' THEN
      PERFORM audit_add(1, 'impersonate', 'company', NEW."companyId"::text, NULL,
        jsonb_build_object('userId', NEW."userId", 'reason', NEW."reason", 'readOnly', NEW."readOnly"));
    END IF;
    SELECT jsonb_build_object('kind', 'user', 'id', u."id", 'name', u."name", 'ip', coalesce(actor->>'ip', NEW."address"),
      'operator', operator) INTO actor FROM "users" u WHERE u."id" = NEW."userId";
  END IF;
  IF coalesce(actor->>'kind', 'visitor') = 'visitor' THEN
    SELECT jsonb_build_object('kind', 'user', 'id', u."id", 'name', u."name", 'ip', coalesce(actor->>'ip', NEW."address"))
      INTO actor FROM "users" u WHERE u."id" = NEW."userId";
  END IF;
  IF TG_OP = 'INSERT' THEN
    PERFORM audit_add(NEW."companyId", CASE WHEN operator IS NULL THEN 'login' ELSE 'impersonate' END, 'session',
      NEW."id"::text, NULL, jsonb_build_object('userId', NEW."userId", 'userAgent', NEW."userAgent")
        || CASE WHEN operator IS NULL THEN '{}' ELSE jsonb_build_object('readOnly', NEW."readOnly") END, actor);
  ELSIF OLD."endedAt" IS NULL AND NEW."endedAt" IS NOT NULL AND NEW."endedBy" <> 'elsewhere' THEN
    PERFORM audit_add(NEW."companyId", 'logout', 'session', NEW."id"::text, NULL,
      jsonb_build_object('userId', NEW."userId", 'endedBy', NEW."endedBy"), actor);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "sessions_audit" AFTER INSERT OR UPDATE OF "endedAt" ON "sessions"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_session();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "users_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "email", "profile", "roleId", "super", "allTicket", "whatsappId", "passwordHash" ON "users"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('user', 'name,email,profile,roleId,super,allTicket,whatsappId', 'passwordHash');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "roles_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "permissions", "ticketScope", "maskNumbers" ON "roles"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('role', 'name,permissions,ticketScope,maskNumbers', '');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "invoices_audit" AFTER UPDATE OF "status", "paidVia" ON "invoices"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('invoice', 'status,paidVia', '');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "payment_accounts_audit" AFTER INSERT OR DELETE OR UPDATE OF "provider", "config", "secrets" ON "payment_accounts"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('paymentAccount', 'provider,config', 'secrets');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "message_prices_audit" AFTER INSERT OR DELETE OR UPDATE OF "market", "category", "currency", "since", "micros" ON "message_prices"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('messagePrice', 'market,category,currency,since,micros', '');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "oidc_providers_audit" AFTER INSERT OR DELETE OR UPDATE OF "issuer", "clientId", "domains", "provenDomains", "makesUsers", "roleId", "groupsClaim", "roleRules", "ssoOnly", "breakGlassUserId", "secret" ON "oidc_providers"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('signIn', 'issuer,clientId,domains,provenDomains,makesUsers,roleId,groupsClaim,roleRules,ssoOnly,breakGlassUserId', 'secret');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "passkeys_audit" AFTER INSERT OR DELETE OR UPDATE OF "userId", "name" ON "passkeys"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('passkey', 'userId,name', '');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "user_queues_audit" AFTER INSERT OR DELETE OR UPDATE ON "user_queues"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_link('user', 'userId');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "queues_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "color", "greetingMessage", "outOfHoursMessage", "orderQueue", "schedules", "promptId", "integrationId", "mediaName" ON "queues"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('queue', 'name,color,greetingMessage,outOfHoursMessage,orderQueue,schedules,promptId,integrationId,mediaName', '');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "queue_options_audit" AFTER INSERT OR DELETE OR UPDATE OF "queueId", "parentId", "option", "title", "message", "mediaName" ON "queue_options"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('queueOption', 'queueId,parentId,option,title,message,mediaName', '');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "whatsapps_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "number", "isDefault", "provider", "greetingMessage", "completionMessage", "outOfHoursMessage", "ratingMessage", "expiresInactiveMessage", "expiresTicket", "timeUseBotQueues", "maxUseBotQueues", "timeToTransfer", "transferQueueId", "integrationId", "promptId", "schedules", "wanted", "token" ON "whatsapps"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('connection', 'name,number,isDefault,provider,greetingMessage,completionMessage,outOfHoursMessage,ratingMessage,expiresInactiveMessage,expiresTicket,timeUseBotQueues,maxUseBotQueues,timeToTransfer,transferQueueId,integrationId,promptId,schedules,wanted', 'token');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "whatsapp_queues_audit" AFTER INSERT OR DELETE OR UPDATE ON "whatsapp_queues"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_link('connection', 'whatsappId');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "settings_audit" AFTER INSERT OR DELETE OR UPDATE OF "key", "value" ON "settings"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('setting', 'key,value', '');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "companies_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "email", "phone", "status", "planId", "dueDate", "recurrence", "timeZone", "language", "schedules", "callingCode", "holidays", "removal" ON "companies"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('company', 'name,email,phone,status,planId,dueDate,recurrence,timeZone,language,schedules,callingCode,holidays', '');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "plans_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "users", "connections", "queues", "value", "useCampaigns", "useSchedules", "useInternalChat", "useExternalApi", "useKanban", "useOpenAi", "useIntegrations", "useInternal" ON "plans"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('plan', 'name,users,connections,queues,value,useCampaigns,useSchedules,useInternalChat,useExternalApi,useKanban,useOpenAi,useIntegrations,useInternal', '');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "tags_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "color", "kanban", "laneOrder", "laneLimit" ON "tags"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('tag', 'name,color,kanban,laneOrder,laneLimit', '');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "prompts_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "prompt", "baseUrl", "model", "transcriptionModel", "voice", "voiceRegion", "maxTokens", "temperature", "maxMessages", "queueId", "apiKey", "voiceKey" ON "prompts"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('prompt', 'name,prompt,baseUrl,model,transcriptionModel,voice,voiceRegion,maxTokens,temperature,maxMessages,queueId', 'apiKey,voiceKey');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "queue_integrations_audit" AFTER INSERT OR DELETE OR UPDATE OF "type", "name", "projectName", "language", "urlN8N", "flowId", "typebotSlug", "typebotDelayMessage", "typebotExpires", "typebotKeywordFinish", "typebotKeywordRestart", "typebotRestartMessage", "typebotUnknownMessage", "options", "jsonContent", "secret" ON "queue_integrations"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('integration', 'type,name,projectName,language,urlN8N,flowId,typebotSlug,typebotDelayMessage,typebotExpires,typebotKeywordFinish,typebotKeywordRestart,typebotRestartMessage,typebotUnknownMessage,options', 'jsonContent,secret');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "flows_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "active", "versionId" ON "flows"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('flow', 'name,active,versionId', '');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "flow_campaigns_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "flowId", "whatsappId", "phrase", "status" ON "flow_campaigns"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('phrase', 'name,flowId,whatsappId,phrase,status', '');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "flow_defaults_audit" AFTER INSERT OR DELETE OR UPDATE OF "flowIdWelcome", "flowIdNotPhrase" ON "flow_defaults"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('flowDefaults', 'flowIdWelcome,flowIdNotPhrase', '');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "flow_secrets_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "hosts", "value" ON "flow_secrets"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('flowSecret', 'name,hosts', 'value');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "api_keys_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "prefix", "scopes", "ipAllow", "ratePerMinute", "expiresAt", "revokedAt", "hash" ON "api_keys"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('apiKey', 'name,prefix,scopes,ipAllow,ratePerMinute,expiresAt,revokedAt', 'hash');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "webhooks_audit" AFTER INSERT OR DELETE OR UPDATE OF "url", "events", "queueIds", "active", "disabledReason", "secret" ON "webhooks"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('webhook', 'url,events,queueIds,active,disabledReason', 'secret');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "campaigns_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "status", "confirmation", "answersOpenTickets", "whatsappId", "contactListId", "tagListId", "segmentIds", "fileListId", "templateId", "replyQueueId", "bulkGuard", "scheduledAt", "pauseReason", "weights", "mediaName", "message1", "message2", "message3", "message4", "message5", "confirmationMessage1", "confirmationMessage2", "confirmationMessage3", "confirmationMessage4", "confirmationMessage5" ON "campaigns"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('campaign', 'name,status,confirmation,answersOpenTickets,whatsappId,contactListId,tagListId,segmentIds,fileListId,templateId,replyQueueId,bulkGuard,scheduledAt,pauseReason,weights,mediaName,message1,message2,message3,message4,message5,confirmationMessage1,confirmationMessage2,confirmationMessage3,confirmationMessage4,confirmationMessage5', '');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "campaign_settings_audit" AFTER INSERT OR DELETE OR UPDATE OF "key", "value" ON "campaign_settings"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('campaignSetting', 'key,value', '');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "templates_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "language", "category", "confirmedCategory", "status", "reason" ON "templates"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('template', 'name,language,category,confirmedCategory,status,reason', '');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "segments_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "match", "rules" ON "segments"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('segment', 'name,match,rules', '');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "contact_lists_audit" AFTER INSERT OR DELETE OR UPDATE OF "name" ON "contact_lists"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('contactList', 'name', '');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "file_lists_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "message" ON "file_lists"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('fileList', 'name,message', '');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "announcements_audit" AFTER INSERT OR DELETE OR UPDATE OF "priority", "title", "text", "status", "startsAt", "endsAt", "companyIds", "planIds", "profiles", "mediaName" ON "announcements"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('announcement', 'priority,title,text,status,startsAt,endsAt,companyIds,planIds,profiles,mediaName', '');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "helps_audit" AFTER INSERT OR DELETE OR UPDATE OF "title", "description", "video" ON "helps"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('help', 'title,description,video', '');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "branding_audit" AFTER INSERT OR DELETE OR UPDATE OF "place", "mime", "size" ON "branding"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('branding', 'place,mime,size', '');
