-- What webhooks are told is written down here, in the transaction in which it happens and whoever makes it happen: one
-- statement for all rows of a statement, and only where a webhook wants to know.
CREATE FUNCTION has_webhooks() RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT EXISTS (SELECT FROM "webhooks" WHERE "active") $$;
--> statement-breakpoint
CREATE FUNCTION wants_webhook(company integer, event text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM "webhooks" WHERE "companyId" = company AND "active" AND event = ANY ("events"))
$$;
--> statement-breakpoint
CREATE FUNCTION webhook_messages_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_webhooks() THEN RETURN NULL; END IF;
  INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "ticketId", "data")
    SELECT e."companyId", e."type", e."id", e."ticketId", jsonb_build_object('ack', e."ack")
    FROM (SELECT m.*, CASE WHEN m."fromMe" THEN 'message.sent' ELSE 'message.received' END AS "type" FROM added m) e
    WHERE wants_webhook(e."companyId", e."type");
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "messages_webhook_added" AFTER INSERT ON "messages" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_messages_added();
--> statement-breakpoint
CREATE FUNCTION webhook_messages_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_webhooks() THEN RETURN NULL; END IF;
  INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "ticketId", "data")
    SELECT n."companyId", e."type", n."id", n."ticketId", jsonb_build_object('ack', n."ack", 'ackError', n."ackError")
    FROM added n JOIN removed o ON o."id" = n."id"
    CROSS JOIN LATERAL (VALUES
      ('message.ack', n."ack" <> o."ack"),
      ('message.edited', n."isEdited" AND n."body" <> o."body"),
      ('message.deleted', n."isDeleted" AND NOT o."isDeleted"),
      ('message.file', n."mediaState" IN ('ready', 'failed') AND o."mediaState" = 'pending')) AS e("type", "happened")
    WHERE e."happened" AND wants_webhook(n."companyId", e."type");
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "messages_webhook_changed" AFTER UPDATE ON "messages" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_messages_changed();
--> statement-breakpoint
CREATE FUNCTION webhook_tickets_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_webhooks() THEN RETURN NULL; END IF;
  INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "ticketId", "data")
    SELECT t."companyId", 'ticket.created', t."id"::text, t."id", jsonb_build_object('status', t."status")
    FROM added t WHERE wants_webhook(t."companyId", 'ticket.created');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "tickets_webhook_added" AFTER INSERT ON "tickets" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_tickets_added();
--> statement-breakpoint
CREATE FUNCTION webhook_tickets_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_webhooks() THEN RETURN NULL; END IF;
  INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "ticketId", "data")
    SELECT n."companyId", e."type", n."id"::text, n."id", jsonb_build_object(
      'status', n."status", 'queueId', n."queueId", 'userId', n."userId", 'tagIds', n."tagIds",
      'changes', jsonb_strip_nulls(jsonb_build_object(
        'status', CASE WHEN n."status" <> o."status" THEN jsonb_build_array(o."status", n."status") END,
        'queueId', CASE WHEN n."queueId" IS DISTINCT FROM o."queueId" THEN jsonb_build_array(o."queueId", n."queueId") END,
        'userId', CASE WHEN n."userId" IS DISTINCT FROM o."userId" THEN jsonb_build_array(o."userId", n."userId") END,
        'tagIds', CASE WHEN n."tagIds" <> o."tagIds" THEN jsonb_build_array(to_jsonb(o."tagIds"), to_jsonb(n."tagIds")) END)))
    FROM added n JOIN removed o ON o."id" = n."id"
    CROSS JOIN LATERAL (VALUES
      ('ticket.status_changed', n."status" <> o."status"),
      ('ticket.assigned', n."userId" IS NOT NULL AND n."userId" IS DISTINCT FROM o."userId"),
      ('ticket.transferred', n."queueId" IS DISTINCT FROM o."queueId" OR (o."userId" IS NOT NULL AND n."userId" <> o."userId")),
      ('ticket.tagged', n."tagIds" <> o."tagIds")) AS e("type", "happened")
    WHERE e."happened" AND wants_webhook(n."companyId", e."type");
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "tickets_webhook_changed" AFTER UPDATE ON "tickets" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_tickets_changed();
--> statement-breakpoint
CREATE FUNCTION webhook_ratings_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_webhooks() THEN RETURN NULL; END IF;
  INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "ticketId", "data")
    SELECT r."companyId", 'ticket.rated', r."ticketId"::text, r."ticketId",
      jsonb_build_object('changes', jsonb_build_object('rate', r."rate"))
    FROM added r WHERE wants_webhook(r."companyId", 'ticket.rated');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "ratings_webhook_added" AFTER INSERT ON "ratings" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_ratings_added();
--> statement-breakpoint
CREATE FUNCTION webhook_contacts_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_webhooks() THEN RETURN NULL; END IF;
  INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "data")
    SELECT c."companyId", 'contact.created', c."id"::text, '{}' FROM added c WHERE wants_webhook(c."companyId", 'contact.created');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "contacts_webhook_added" AFTER INSERT ON "contacts" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_contacts_added();
--> statement-breakpoint
CREATE FUNCTION webhook_contacts_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_webhooks() THEN RETURN NULL; END IF;
  INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "data")
    SELECT e."companyId", 'contact.updated', e."id"::text, jsonb_build_object('changes', e."changes")
    FROM (SELECT n."companyId", n."id", jsonb_strip_nulls(jsonb_build_object(
        'name', CASE WHEN n."name" <> o."name" THEN jsonb_build_array(o."name", n."name") END,
        'number', CASE WHEN n."number" IS DISTINCT FROM o."number" THEN jsonb_build_array(o."number", n."number") END,
        'lid', CASE WHEN n."lid" IS DISTINCT FROM o."lid" THEN jsonb_build_array(o."lid", n."lid") END,
        'username', CASE WHEN n."username" IS DISTINCT FROM o."username" THEN jsonb_build_array(o."username", n."username") END,
        'email', CASE WHEN n."email" <> o."email" THEN jsonb_build_array(o."email", n."email") END,
        'disableBot', CASE WHEN n."disableBot" <> o."disableBot" THEN jsonb_build_array(o."disableBot", n."disableBot") END,
        'extraInfo', CASE WHEN n."extraInfo" <> o."extraInfo" THEN jsonb_build_array(o."extraInfo", n."extraInfo") END)) AS "changes"
      FROM added n JOIN removed o ON o."id" = n."id") e
    WHERE e."changes" <> '{}' AND wants_webhook(e."companyId", 'contact.updated');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "contacts_webhook_changed" AFTER UPDATE ON "contacts" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_contacts_changed();
--> statement-breakpoint
CREATE FUNCTION webhook_contacts_merged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_webhooks() THEN RETURN NULL; END IF;
  INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "data")
    SELECT m."companyId", 'contact.merged', m."keptId"::text,
      jsonb_build_object('changes', jsonb_build_object('mergedId', m."before"->'gone'->'id'))
    FROM added m WHERE wants_webhook(m."companyId", 'contact.merged');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "contact_merges_webhook_added" AFTER INSERT ON "contact_merges" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_contacts_merged();
--> statement-breakpoint
CREATE FUNCTION webhook_opt_outs_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_webhooks() THEN RETURN NULL; END IF;
  INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "data")
    SELECT o."companyId", 'contact.opted_out', o."id"::text, '{}' FROM added o WHERE wants_webhook(o."companyId", 'contact.opted_out');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "opt_outs_webhook_added" AFTER INSERT ON "opt_outs" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_opt_outs_added();
--> statement-breakpoint
CREATE FUNCTION webhook_campaign_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event text := CASE NEW."status" WHEN 'EM_ANDAMENTO' THEN 'campaign.started' WHEN 'PAUSADA' THEN 'campaign.paused'
    WHEN 'FINALIZADA' THEN 'campaign.finished' END;
BEGIN
  IF event IS NOT NULL AND wants_webhook(NEW."companyId", event) THEN
    INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "data") VALUES (NEW."companyId", event, NEW."id"::text,
      jsonb_build_object('status', NEW."status", 'reason', NEW."pauseReason"));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "campaigns_webhook_changed" AFTER UPDATE ON "campaigns" FOR EACH ROW
  WHEN (OLD."status" IS DISTINCT FROM NEW."status") EXECUTE FUNCTION webhook_campaign_changed();
--> statement-breakpoint
CREATE FUNCTION webhook_connection_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF wants_webhook(NEW."companyId", 'connection.status_changed') THEN
    INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "data") VALUES (NEW."companyId",
      'connection.status_changed', NEW."id"::text, jsonb_build_object('status', NEW."status", 'reason', NEW."lastError"));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "whatsapps_webhook_changed" AFTER UPDATE ON "whatsapps" FOR EACH ROW
  WHEN (OLD."status" IS DISTINCT FROM NEW."status") EXECUTE FUNCTION webhook_connection_changed();
