CREATE TABLE "announcements" (
	"id" serial PRIMARY KEY NOT NULL,
	"priority" smallint DEFAULT 3 NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"mediaPath" text,
	"mediaName" text,
	"mediaMime" text,
	"mediaSize" integer,
	"status" boolean DEFAULT true NOT NULL,
	"startsAt" timestamp with time zone,
	"endsAt" timestamp with time zone,
	"companyIds" integer[] DEFAULT '{}'::integer[] NOT NULL,
	"planIds" integer[] DEFAULT '{}'::integer[] NOT NULL,
	"profiles" text[] DEFAULT '{}'::text[] NOT NULL,
	"isVisit" boolean DEFAULT false NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"hash" text NOT NULL,
	"scopes" text[] NOT NULL,
	"ipAllow" text[] NOT NULL,
	"ratePerMinute" integer DEFAULT 120 NOT NULL,
	"expiresAt" timestamp with time zone,
	"lastUsedAt" timestamp with time zone,
	"lastIp" text,
	"revokedAt" timestamp with time zone,
	"createdBy" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_anchors" (
	"companyId" integer PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	"seal" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"companyId" integer NOT NULL,
	"seq" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"actorKind" text NOT NULL,
	"actorId" integer,
	"actorName" text,
	"operator" jsonb,
	"action" text NOT NULL,
	"entity" text NOT NULL,
	"entityId" text,
	"before" jsonb,
	"after" jsonb,
	"ip" text,
	"prevHash" text NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "audit_entries_companyId_seq_pk" PRIMARY KEY("companyId","seq")
);
--> statement-breakpoint
CREATE TABLE "audit_heads" (
	"companyId" integer PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "automation_decisions" (
	"id" text PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"ticketId" integer NOT NULL,
	"messageId" text,
	"trigger" text NOT NULL,
	"steps" jsonb NOT NULL,
	"actions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"replies" text[] DEFAULT '{}' NOT NULL,
	"by" jsonb,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "automation_states" (
	"ticketId" integer PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"serviceId" integer,
	"greeted" boolean DEFAULT false NOT NULL,
	"menusSent" integer DEFAULT 0 NOT NULL,
	"menuSentAt" timestamp with time zone,
	"enteredQueueId" integer,
	"optionId" integer,
	"inOptions" boolean DEFAULT false NOT NULL,
	"misses" integer DEFAULT 0 NOT NULL,
	"defaultFlow" boolean DEFAULT false NOT NULL,
	"hoursToldAt" timestamp with time zone,
	"session" jsonb,
	"sessionAt" timestamp with time zone,
	"menuAskedAt" timestamp with time zone,
	"answeredByPhone" boolean DEFAULT false NOT NULL,
	"handedOver" boolean DEFAULT false NOT NULL,
	"botOver" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "voice_transcripts" (
	"messageId" text PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"text" text NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bulk_lines" (
	"whatsappId" integer PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"nextAt" timestamp with time zone,
	"stoppedAt" timestamp with time zone,
	"stopReason" text,
	"ratesSince" timestamp with time zone,
	"lockedUntil" timestamp with time zone,
	"dailyCap" integer,
	"newChatCap" integer,
	"warmupStep" smallint DEFAULT 0 NOT NULL,
	"warmupDay" date
);
--> statement-breakpoint
CREATE TABLE "bulk_sends" (
	"messageId" text PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"whatsappId" integer NOT NULL,
	"isNewChat" boolean NOT NULL,
	"sentAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "campaign_settings" (
	"companyId" integer NOT NULL,
	"key" text NOT NULL,
	"value" jsonb NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "campaign_settings_companyId_key_pk" PRIMARY KEY("companyId","key")
);
--> statement-breakpoint
CREATE TABLE "campaigns" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"name" text NOT NULL,
	"status" text DEFAULT 'INATIVA' NOT NULL,
	"confirmation" boolean DEFAULT false NOT NULL,
	"answersOpenTickets" boolean DEFAULT false NOT NULL,
	"message1" text,
	"message2" text,
	"message3" text,
	"message4" text,
	"message5" text,
	"confirmationMessage1" text,
	"confirmationMessage2" text,
	"confirmationMessage3" text,
	"confirmationMessage4" text,
	"confirmationMessage5" text,
	"weights" integer[] DEFAULT '{1,1,1,1,1}' NOT NULL,
	"seed" integer NOT NULL,
	"whatsappId" integer,
	"contactListId" integer,
	"tagListId" integer,
	"segmentIds" integer[] DEFAULT '{}' NOT NULL,
	"fileListId" integer,
	"templateId" integer,
	"templateValues" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"replyQueueId" integer,
	"bulkGuard" boolean DEFAULT false NOT NULL,
	"scheduledAt" timestamp with time zone,
	"startedAt" timestamp with time zone,
	"completedAt" timestamp with time zone,
	"pauseReason" text,
	"plannedAt" timestamp with time zone,
	"planCursor" jsonb,
	"duplicates" integer DEFAULT 0 NOT NULL,
	"sends" integer DEFAULT 0 NOT NULL,
	"userId" integer,
	"mediaPath" text,
	"mediaName" text,
	"mediaMime" text,
	"mediaSize" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shippings" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"campaignId" integer NOT NULL,
	"name" text NOT NULL,
	"number" text NOT NULL,
	"key" text NOT NULL,
	"lid" text,
	"email" text DEFAULT '' NOT NULL,
	"itemId" integer,
	"state" text DEFAULT 'planned' NOT NULL,
	"reason" text,
	"messageIndex" smallint DEFAULT 0 NOT NULL,
	"body" text,
	"about" jsonb,
	"whatsappId" integer,
	"wid" text,
	"messageId" text,
	"ack" smallint DEFAULT 0 NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"dueAt" timestamp with time zone,
	"turn" smallint DEFAULT 1 NOT NULL,
	"checkedAt" timestamp with time zone,
	"confirmationBody" text,
	"confirmationWid" text,
	"confirmationMessageId" text,
	"confirmationRequestedAt" timestamp with time zone,
	"confirmedAt" timestamp with time zone,
	"answerBody" text,
	"answerWid" text,
	"answerMessageId" text,
	"answeredAt" timestamp with time zone,
	"isNewChat" boolean DEFAULT false NOT NULL,
	"sentAt" timestamp with time zone,
	"deliveredAt" timestamp with time zone,
	"readAt" timestamp with time zone,
	"repliedAt" timestamp with time zone,
	"optedOutAt" timestamp with time zone,
	"ticketId" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chat_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"chatId" integer NOT NULL,
	"senderId" integer,
	"message" text NOT NULL,
	"memberIds" integer[] DEFAULT '{}'::integer[] NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chat_users" (
	"id" text PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"chatId" integer NOT NULL,
	"userId" integer NOT NULL,
	"unreads" integer DEFAULT 0 NOT NULL,
	"readAt" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "chats" (
	"id" serial PRIMARY KEY NOT NULL,
	"uuid" uuid DEFAULT gen_random_uuid() NOT NULL,
	"companyId" integer NOT NULL,
	"title" text NOT NULL,
	"ownerId" integer,
	"memberIds" integer[] DEFAULT '{}'::integer[] NOT NULL,
	"lastMessage" text DEFAULT '' NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chats_uuid_unique" UNIQUE("uuid")
);
--> statement-breakpoint
CREATE TABLE "command_log" (
	"companyId" integer NOT NULL,
	"userId" integer NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"inputHash" text NOT NULL,
	"result" jsonb NOT NULL,
	"txid" text NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "command_log_companyId_userId_id_pk" PRIMARY KEY("companyId","userId","id")
);
--> statement-breakpoint
CREATE TABLE "branding" (
	"place" text PRIMARY KEY NOT NULL,
	"mime" text NOT NULL,
	"content" text NOT NULL,
	"size" integer NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "companies" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text DEFAULT '' NOT NULL,
	"phone" text DEFAULT '' NOT NULL,
	"status" boolean DEFAULT true NOT NULL,
	"planId" integer,
	"dueDate" date,
	"trialUntil" date,
	"dueDay" smallint,
	"recurrence" text DEFAULT 'MENSAL' NOT NULL,
	"timeZone" text DEFAULT 'America/Sao_Paulo' NOT NULL,
	"language" text DEFAULT 'pt' NOT NULL,
	"callingCode" text DEFAULT '55' NOT NULL,
	"schedules" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"holidays" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"billingName" text DEFAULT '' NOT NULL,
	"billingDocument" text DEFAULT '' NOT NULL,
	"addressStreet" text DEFAULT '' NOT NULL,
	"addressDistrict" text DEFAULT '' NOT NULL,
	"addressCity" text DEFAULT '' NOT NULL,
	"addressState" text DEFAULT '' NOT NULL,
	"addressZipCode" text DEFAULT '' NOT NULL,
	"addressCountry" text DEFAULT '' NOT NULL,
	"removal" jsonb,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_list_items" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"contactListId" integer NOT NULL,
	"name" text NOT NULL,
	"number" text NOT NULL,
	"key" text NOT NULL,
	"lid" text,
	"email" text DEFAULT '' NOT NULL,
	"isWhatsappValid" boolean,
	"checkedAt" timestamp with time zone,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_lists" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"name" text NOT NULL,
	"checkState" text DEFAULT 'none' NOT NULL,
	"checkTotal" integer DEFAULT 0 NOT NULL,
	"checkDone" integer DEFAULT 0 NOT NULL,
	"checkNextAt" timestamp with time zone,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_aliases" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"contactId" integer NOT NULL,
	"kind" text NOT NULL,
	"scope" text DEFAULT '' NOT NULL,
	"value" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "contacts" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"name" text NOT NULL,
	"nameSource" text DEFAULT 'number' NOT NULL,
	"number" text,
	"numberAt" timestamp with time zone,
	"lid" text,
	"username" text,
	"email" text DEFAULT '' NOT NULL,
	"isGroup" boolean DEFAULT false NOT NULL,
	"profilePicUrl" text,
	"extraInfo" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"disableBot" boolean DEFAULT false NOT NULL,
	"activeOn" date DEFAULT CURRENT_DATE NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_merges" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"keptId" integer NOT NULL,
	"before" jsonb NOT NULL,
	"userId" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"undoneAt" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "cost_days" (
	"companyId" integer NOT NULL,
	"whatsappId" integer NOT NULL,
	"day" date NOT NULL,
	"market" text NOT NULL,
	"category" text NOT NULL,
	"type" text NOT NULL,
	"n" integer NOT NULL,
	CONSTRAINT "cost_days_whatsappId_day_market_category_type_pk" PRIMARY KEY("whatsappId","day","market","category","type")
);
--> statement-breakpoint
CREATE TABLE "cost_notices" (
	"whatsappId" integer NOT NULL,
	"companyId" integer NOT NULL,
	"month" text NOT NULL,
	"level" smallint NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	CONSTRAINT "cost_notices_whatsappId_month_level_pk" PRIMARY KEY("whatsappId","month","level")
);
--> statement-breakpoint
CREATE TABLE "message_costs" (
	"whatsappId" integer NOT NULL,
	"wamid" text NOT NULL,
	"companyId" integer NOT NULL,
	"category" text,
	"type" text,
	"classRank" smallint DEFAULT 0 NOT NULL,
	"deliveredAt" timestamp with time zone,
	"day" date,
	"market" text DEFAULT '' NOT NULL,
	"messageId" text,
	"ticketId" integer,
	"userId" integer,
	"queueId" integer,
	"flowId" integer,
	"campaignId" integer,
	"template" text,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "message_costs_whatsappId_wamid_pk" PRIMARY KEY("whatsappId","wamid")
);
--> statement-breakpoint
CREATE TABLE "message_prices" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"market" text NOT NULL,
	"category" text NOT NULL,
	"currency" text NOT NULL,
	"since" date NOT NULL,
	"micros" bigint NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "drafts" (
	"id" text PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"userId" integer NOT NULL,
	"ticketId" integer NOT NULL,
	"body" text NOT NULL,
	"updatedAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "file_list_options" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"fileListId" integer NOT NULL,
	"name" text NOT NULL,
	"position" integer NOT NULL,
	"mediaPath" text,
	"mediaName" text,
	"mediaMime" text,
	"mediaSize" integer
);
--> statement-breakpoint
CREATE TABLE "file_lists" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"name" text NOT NULL,
	"message" text NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "saved_filters" (
	"id" text PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"userId" integer NOT NULL,
	"name" text NOT NULL,
	"filter" jsonb NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "flow_campaigns" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"name" text NOT NULL,
	"flowId" integer NOT NULL,
	"whatsappId" integer,
	"phrase" text NOT NULL,
	"phraseKey" text NOT NULL,
	"status" boolean DEFAULT true NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "flow_counts" (
	"companyId" integer NOT NULL,
	"flowId" integer NOT NULL,
	"node" text NOT NULL,
	"day" date NOT NULL,
	"reached" integer DEFAULT 0 NOT NULL,
	"left" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "flow_counts_flowId_day_node_pk" PRIMARY KEY("flowId","day","node")
);
--> statement-breakpoint
CREATE TABLE "flow_defaults" (
	"companyId" integer PRIMARY KEY NOT NULL,
	"flowIdWelcome" integer,
	"flowIdNotPhrase" integer,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "flow_files" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"name" text NOT NULL,
	"mediaPath" text,
	"mediaName" text,
	"mediaMime" text,
	"mediaSize" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "flow_logs" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"runId" text NOT NULL,
	"entry" jsonb NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "flow_nodes" (
	"id" text PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"flowId" integer NOT NULL,
	"node" text NOT NULL,
	"type" text NOT NULL,
	"x" double precision NOT NULL,
	"y" double precision NOT NULL,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"exits" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"rev" integer DEFAULT 1 NOT NULL,
	"userId" integer,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "flow_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"flowId" integer NOT NULL,
	"versionId" integer NOT NULL,
	"ticketId" integer NOT NULL,
	"contactId" integer NOT NULL,
	"whatsappId" integer NOT NULL,
	"run" jsonb NOT NULL,
	"wakeAt" timestamp with time zone,
	"endedAt" timestamp with time zone,
	"reason" text,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "flow_secrets" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"name" text NOT NULL,
	"value" text NOT NULL,
	"hosts" text[] DEFAULT '{}'::text[] NOT NULL,
	"userId" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "flow_trails" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"flowId" integer NOT NULL,
	"runId" text NOT NULL,
	"nodes" text[] NOT NULL,
	"left" text,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "flow_versions" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"flowId" integer NOT NULL,
	"number" integer NOT NULL,
	"nodes" jsonb NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"userId" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "flows" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"name" text NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"versionId" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "helps" (
	"id" serial PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"video" text NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "queue_integrations" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"type" text NOT NULL,
	"name" text NOT NULL,
	"projectName" text DEFAULT '' NOT NULL,
	"jsonContent" text DEFAULT '' NOT NULL,
	"language" text DEFAULT '' NOT NULL,
	"urlN8N" text DEFAULT '' NOT NULL,
	"secret" text DEFAULT '' NOT NULL,
	"flowId" integer,
	"typebotSlug" text DEFAULT '' NOT NULL,
	"typebotDelayMessage" integer DEFAULT 1000 NOT NULL,
	"typebotExpires" integer DEFAULT 1 NOT NULL,
	"typebotKeywordFinish" text DEFAULT '' NOT NULL,
	"typebotKeywordRestart" text DEFAULT '' NOT NULL,
	"typebotRestartMessage" text DEFAULT '' NOT NULL,
	"typebotUnknownMessage" text DEFAULT '' NOT NULL,
	"options" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "due_notices" (
	"companyId" integer NOT NULL,
	"dueDate" date NOT NULL,
	"days" integer NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	CONSTRAINT "due_notices_companyId_dueDate_days_pk" PRIMARY KEY("companyId","dueDate","days")
);
--> statement-breakpoint
CREATE TABLE "invoice_charges" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"invoiceId" integer NOT NULL,
	"provider" text NOT NULL,
	"ref" text NOT NULL,
	"copyPaste" text,
	"value" numeric(12, 2) NOT NULL,
	"months" integer NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"paidValue" numeric(12, 2),
	"expiresAt" timestamp with time zone,
	"checkAt" timestamp with time zone,
	"checks" integer DEFAULT 0 NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"detail" text NOT NULL,
	"value" numeric(12, 2) NOT NULL,
	"dueDate" date NOT NULL,
	"months" integer NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"paidAt" timestamp with time zone,
	"paidVia" text,
	"boughtFrom" date,
	"boughtUntil" date,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_accounts" (
	"companyId" integer PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"config" jsonb NOT NULL,
	"secrets" text DEFAULT '' NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "clock_leases" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"companyId" integer,
	"kind" text NOT NULL,
	"payload" jsonb NOT NULL,
	"lane" text,
	"whatsappId" integer,
	"rank" smallint DEFAULT 1 NOT NULL,
	"uniqueKey" text,
	"runAt" timestamp with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"lockedUntil" timestamp with time zone,
	"lockedBy" text,
	"standstills" smallint DEFAULT 0 NOT NULL,
	"lastError" text,
	"failedAt" timestamp with time zone,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "message_texts" (
	"messageId" text PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"text" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" text PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"ticketId" integer NOT NULL,
	"contactId" integer NOT NULL,
	"whatsappId" integer,
	"wid" text,
	"fromMe" boolean DEFAULT false NOT NULL,
	"authorId" integer,
	"participantName" text,
	"participantNumber" text,
	"body" text DEFAULT '' NOT NULL,
	"isCut" boolean DEFAULT false NOT NULL,
	"mediaType" text DEFAULT 'chat' NOT NULL,
	"mediaState" text DEFAULT 'none' NOT NULL,
	"mediaPath" text,
	"mediaName" text,
	"mediaMime" text,
	"mediaSize" integer,
	"mediaSeconds" integer,
	"waveform" text,
	"isVoice" boolean DEFAULT false NOT NULL,
	"read" boolean DEFAULT false NOT NULL,
	"ack" smallint DEFAULT 1 NOT NULL,
	"ackError" text,
	"isDeleted" boolean DEFAULT false NOT NULL,
	"isEdited" boolean DEFAULT false NOT NULL,
	"earlierBodies" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"reactions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"quotedMsgId" text,
	"about" jsonb,
	"queueScope" integer,
	"userScope" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ticket_notes" (
	"id" text PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"ticketId" integer NOT NULL,
	"contactId" integer NOT NULL,
	"userId" integer,
	"note" text NOT NULL,
	"queueScope" integer,
	"userScope" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oidc_providers" (
	"companyId" integer PRIMARY KEY NOT NULL,
	"issuer" text NOT NULL,
	"clientId" text NOT NULL,
	"secret" text DEFAULT '' NOT NULL,
	"domains" text[] DEFAULT '{}'::text[] NOT NULL,
	"provenDomains" text[] DEFAULT '{}'::text[] NOT NULL,
	"makesUsers" boolean DEFAULT false NOT NULL,
	"roleId" integer,
	"groupsClaim" text DEFAULT 'groups' NOT NULL,
	"roleRules" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"triedAt" timestamp with time zone,
	"ssoOnly" boolean DEFAULT false NOT NULL,
	"breakGlassUserId" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "opt_outs" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"number" text NOT NULL,
	"key" text NOT NULL,
	"lid" text,
	"source" text NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"messageId" text,
	"userId" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL,
	"revokedAt" timestamp with time zone,
	"revokedBy" integer,
	"revokedMessageId" text,
	"reason" text
);
--> statement-breakpoint
CREATE TABLE "plans" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"users" integer DEFAULT 5 NOT NULL,
	"connections" integer DEFAULT 1 NOT NULL,
	"queues" integer DEFAULT 5 NOT NULL,
	"value" numeric(12, 2) DEFAULT '0' NOT NULL,
	"useCampaigns" boolean DEFAULT true NOT NULL,
	"useSchedules" boolean DEFAULT true NOT NULL,
	"useInternalChat" boolean DEFAULT true NOT NULL,
	"useExternalApi" boolean DEFAULT true NOT NULL,
	"useKanban" boolean DEFAULT true NOT NULL,
	"useOpenAi" boolean DEFAULT true NOT NULL,
	"useIntegrations" boolean DEFAULT true NOT NULL,
	"useInternal" boolean DEFAULT true NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "plans_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "prompt_usage" (
	"companyId" integer NOT NULL,
	"month" date NOT NULL,
	"tokens" bigint DEFAULT 0 NOT NULL,
	"answers" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "prompt_usage_companyId_month_pk" PRIMARY KEY("companyId","month")
);
--> statement-breakpoint
CREATE TABLE "prompts" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"name" text NOT NULL,
	"prompt" text NOT NULL,
	"apiKey" text NOT NULL,
	"baseUrl" text DEFAULT '' NOT NULL,
	"model" text DEFAULT '' NOT NULL,
	"transcriptionModel" text DEFAULT '' NOT NULL,
	"voice" text DEFAULT 'texto' NOT NULL,
	"voiceKey" text DEFAULT '' NOT NULL,
	"voiceRegion" text DEFAULT '' NOT NULL,
	"maxTokens" integer DEFAULT 100 NOT NULL,
	"temperature" double precision DEFAULT 1 NOT NULL,
	"maxMessages" integer DEFAULT 10 NOT NULL,
	"queueId" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "push_keys" (
	"id" integer PRIMARY KEY NOT NULL,
	"publicKey" text NOT NULL,
	"privateKey" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "push_preferences" (
	"userId" integer PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"quietFrom" text DEFAULT '00:00' NOT NULL,
	"quietTo" text DEFAULT '00:00' NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "push_subscriptions" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"userId" integer NOT NULL,
	"sessionId" integer NOT NULL,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "queue_options" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"queueId" integer NOT NULL,
	"parentId" integer,
	"option" integer NOT NULL,
	"title" text NOT NULL,
	"message" text DEFAULT '' NOT NULL,
	"mediaPath" text,
	"mediaName" text,
	"mediaMime" text,
	"mediaSize" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "queues" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"name" text NOT NULL,
	"color" text NOT NULL,
	"greetingMessage" text DEFAULT '' NOT NULL,
	"outOfHoursMessage" text DEFAULT '' NOT NULL,
	"orderQueue" integer,
	"schedules" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"promptId" integer,
	"integrationId" integer,
	"mediaPath" text,
	"mediaName" text,
	"mediaMime" text,
	"mediaSize" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "quick_messages" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"userId" integer,
	"shortcode" text NOT NULL,
	"message" text NOT NULL,
	"isGeneral" boolean DEFAULT false NOT NULL,
	"status" boolean DEFAULT true NOT NULL,
	"mediaPath" text,
	"mediaName" text,
	"mediaMime" text,
	"mediaSize" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ratings" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"ticketId" integer NOT NULL,
	"trackingId" integer NOT NULL,
	"userId" integer,
	"rate" smallint NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "roles" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"name" text NOT NULL,
	"permissions" text[] DEFAULT '{}'::text[] NOT NULL,
	"ticketScope" text DEFAULT 'queues' NOT NULL,
	"maskNumbers" boolean DEFAULT false NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "schedules" (
	"id" text PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"contactId" integer NOT NULL,
	"userId" integer,
	"whatsappId" integer,
	"body" text NOT NULL,
	"bulk" boolean DEFAULT false NOT NULL,
	"sendAt" timestamp with time zone NOT NULL,
	"sentAt" timestamp with time zone,
	"waitsUntil" timestamp with time zone,
	"status" text DEFAULT 'PENDENTE' NOT NULL,
	"error" text,
	"mediaPath" text,
	"mediaName" text,
	"mediaMime" text,
	"mediaSize" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "segments" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"name" text NOT NULL,
	"match" text DEFAULT 'all' NOT NULL,
	"rules" jsonb NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"companyId" integer NOT NULL,
	"key" text NOT NULL,
	"value" text NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "settings_companyId_key_pk" PRIMARY KEY("companyId","key")
);
--> statement-breakpoint
CREATE TABLE "tags" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"name" text NOT NULL,
	"color" text NOT NULL,
	"kanban" smallint DEFAULT 0 NOT NULL,
	"laneOrder" integer,
	"laneLimit" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "templates" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"whatsappId" integer NOT NULL,
	"metaId" text NOT NULL,
	"name" text NOT NULL,
	"language" text NOT NULL,
	"category" text NOT NULL,
	"confirmedCategory" text NOT NULL,
	"nextCategory" text,
	"status" text NOT NULL,
	"quality" text,
	"reason" text,
	"advice" text,
	"parts" jsonb NOT NULL,
	"isStrange" boolean DEFAULT false NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ticket_events" (
	"id" text PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"ticketId" integer NOT NULL,
	"kind" text NOT NULL,
	"userId" integer,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"queueScope" integer,
	"userScope" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ticket_trackings" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"ticketId" integer NOT NULL,
	"whatsappId" integer,
	"userId" integer,
	"queuedAt" timestamp with time zone,
	"startedAt" timestamp with time zone,
	"finishedAt" timestamp with time zone,
	"ratingAt" timestamp with time zone,
	"rated" boolean DEFAULT false NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tickets" (
	"id" serial PRIMARY KEY NOT NULL,
	"uuid" uuid DEFAULT gen_random_uuid() NOT NULL,
	"companyId" integer NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"contactId" integer NOT NULL,
	"whatsappId" integer,
	"queueId" integer,
	"userId" integer,
	"lastMessage" text DEFAULT '' NOT NULL,
	"lastMessageDeleted" boolean DEFAULT false NOT NULL,
	"lastMessageAt" timestamp with time zone DEFAULT now() NOT NULL,
	"lastMessageFromMe" boolean DEFAULT false NOT NULL,
	"unreadMessages" integer DEFAULT 0 NOT NULL,
	"isGroup" boolean DEFAULT false NOT NULL,
	"chatbot" boolean DEFAULT false NOT NULL,
	"useIntegration" boolean DEFAULT false NOT NULL,
	"promptId" integer,
	"integrationId" integer,
	"tagIds" integer[] DEFAULT '{}'::integer[] NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "company_usage" (
	"companyId" integer PRIMARY KEY NOT NULL,
	"users" integer NOT NULL,
	"connections" integer NOT NULL,
	"queues" integer NOT NULL,
	"linked" integer NOT NULL,
	"openTickets" integer NOT NULL,
	"messagesIn" integer NOT NULL,
	"messagesOut" integer NOT NULL,
	"mediaBytes" bigint NOT NULL,
	"tickets" integer NOT NULL,
	"countedAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "company_usage_days" (
	"companyId" integer NOT NULL,
	"day" date NOT NULL,
	"messagesIn" integer NOT NULL,
	"messagesOut" integer NOT NULL,
	"mediaBytes" bigint NOT NULL,
	"tickets" integer NOT NULL,
	"activeUsers" integer,
	"connections" integer,
	CONSTRAINT "company_usage_days_companyId_day_pk" PRIMARY KEY("companyId","day")
);
--> statement-breakpoint
CREATE TABLE "usage_days" (
	"day" date PRIMARY KEY NOT NULL,
	"companies" integer NOT NULL,
	"activeUsers" integer,
	"messagesIn" integer NOT NULL,
	"messagesOut" integer NOT NULL,
	"tickets" integer NOT NULL,
	"connections" integer,
	"countedAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkey_challenges" (
	"hash" text PRIMARY KEY NOT NULL,
	"ceremony" text NOT NULL,
	"userId" integer,
	"expiresAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"userId" integer NOT NULL,
	"name" text NOT NULL,
	"credentialId" text NOT NULL,
	"publicKey" text NOT NULL,
	"userHandle" text NOT NULL,
	"counter" bigint DEFAULT 0 NOT NULL,
	"transports" text[] NOT NULL,
	"synced" boolean NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"lastUsedAt" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "password_resets" (
	"id" serial PRIMARY KEY NOT NULL,
	"userId" integer NOT NULL,
	"companyId" integer NOT NULL,
	"codeHash" text NOT NULL,
	"expiresAt" timestamp with time zone NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"userId" integer NOT NULL,
	"tokenVersion" integer NOT NULL,
	"refreshHash" text,
	"userAgent" text,
	"address" text,
	"createdAt" timestamp with time zone NOT NULL,
	"lastSeenAt" timestamp with time zone NOT NULL,
	"expiresAt" timestamp with time zone NOT NULL,
	"endedAt" timestamp with time zone,
	"endedBy" text,
	"operatorId" integer,
	"operatorName" text,
	"operatorSessionId" integer,
	"reason" text,
	"readOnly" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "two_factors" (
	"userId" integer PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"secret" text NOT NULL,
	"enabledAt" timestamp with time zone,
	"lastStep" integer DEFAULT 0 NOT NULL,
	"recovery" text[] NOT NULL,
	"errors" integer DEFAULT 0 NOT NULL,
	"lockedUntil" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "user_queues" (
	"companyId" integer NOT NULL,
	"userId" integer NOT NULL,
	"queueId" integer NOT NULL,
	CONSTRAINT "user_queues_userId_queueId_pk" PRIMARY KEY("userId","queueId")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"passwordHash" text NOT NULL,
	"passwordIsInitial" boolean DEFAULT false NOT NULL,
	"passwordIsKnown" boolean DEFAULT true NOT NULL,
	"profile" text DEFAULT 'user' NOT NULL,
	"roleId" integer,
	"super" boolean DEFAULT false NOT NULL,
	"allTicket" boolean DEFAULT false NOT NULL,
	"whatsappId" integer,
	"online" boolean DEFAULT false NOT NULL,
	"lastSeenAt" timestamp with time zone,
	"tokenVersion" integer DEFAULT 0 NOT NULL,
	"firstStepsClosedAt" timestamp with time zone,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_role" CHECK ("users"."roleId" IS NULL OR "users"."profile" = 'user')
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"webhookId" integer NOT NULL,
	"eventId" text NOT NULL,
	"type" text NOT NULL,
	"payload" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"nextAt" timestamp with time zone,
	"lockedUntil" timestamp with time zone,
	"deliveredAt" timestamp with time zone,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_outbox" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"type" text NOT NULL,
	"subject" text NOT NULL,
	"ticketId" integer,
	"data" jsonb NOT NULL,
	"xid" text DEFAULT pg_current_xact_id()::xid::text NOT NULL,
	"createdAt" timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"queueIds" integer[] DEFAULT '{}'::integer[] NOT NULL,
	"secret" text NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"disabledReason" text,
	"failingSince" timestamp with time zone,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cloud_changes" (
	"whatsappId" integer NOT NULL,
	"key" text NOT NULL,
	"wid" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "cloud_changes_whatsappId_key_pk" PRIMARY KEY("whatsappId","key")
);
--> statement-breakpoint
CREATE TABLE "cloud_chats" (
	"whatsappId" integer NOT NULL,
	"number" text NOT NULL,
	"wid" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "cloud_chats_whatsappId_number_pk" PRIMARY KEY("whatsappId","number")
);
--> statement-breakpoint
CREATE TABLE "cloud_hooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"hook" text NOT NULL,
	"appMark" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"body" "bytea",
	"attempts" integer DEFAULT 0 NOT NULL,
	"runAt" timestamp with time zone DEFAULT now() NOT NULL,
	"lockedBy" text,
	"lockedUntil" timestamp with time zone,
	"error" text,
	"parkedAt" timestamp with time zone,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cloud_ignored" (
	"hook" text NOT NULL,
	"reason" text NOT NULL,
	"count" integer DEFAULT 0 NOT NULL,
	"lastAt" timestamp with time zone NOT NULL,
	CONSTRAINT "cloud_ignored_hook_reason_pk" PRIMARY KEY("hook","reason")
);
--> statement-breakpoint
CREATE TABLE "cloud_media" (
	"whatsappId" integer NOT NULL,
	"wid" text NOT NULL,
	"mediaId" text NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cloud_media_whatsappId_wid_pk" PRIMARY KEY("whatsappId","wid")
);
--> statement-breakpoint
CREATE TABLE "cloud_numbers" (
	"whatsappId" integer PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"phoneNumberId" text NOT NULL,
	"accountId" text NOT NULL,
	"portfolioId" text,
	"token" text NOT NULL,
	"appSecret" text NOT NULL,
	"verifyToken" text NOT NULL,
	"hook" text NOT NULL,
	"appMark" text NOT NULL,
	"version" text NOT NULL,
	"coexistence" boolean DEFAULT false NOT NULL,
	"quality" text,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cloud_sends" (
	"whatsappId" integer NOT NULL,
	"wid" text NOT NULL,
	"callback" text NOT NULL,
	"wamid" text,
	"state" smallint DEFAULT 0 NOT NULL,
	"tries" smallint DEFAULT 1 NOT NULL,
	"askedAt" timestamp with time zone NOT NULL,
	"template" text,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cloud_sends_whatsappId_wid_pk" PRIMARY KEY("whatsappId","wid")
);
--> statement-breakpoint
CREATE TABLE "whatsapp_credentials" (
	"whatsappId" integer PRIMARY KEY NOT NULL,
	"creds" "bytea" NOT NULL,
	"linked" boolean DEFAULT false NOT NULL,
	"version" jsonb,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "whatsapp_journal" (
	"id" uuid PRIMARY KEY NOT NULL,
	"whatsappId" integer NOT NULL,
	"wid" text NOT NULL,
	"event" "bytea" NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	"parkedAt" timestamp with time zone,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "whatsapp_keys" (
	"whatsappId" integer NOT NULL,
	"type" text NOT NULL,
	"id" text NOT NULL,
	"value" "bytea" NOT NULL,
	CONSTRAINT "whatsapp_keys_whatsappId_type_id_pk" PRIMARY KEY("whatsappId","type","id")
);
--> statement-breakpoint
CREATE TABLE "whatsapp_leases" (
	"whatsappId" integer PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "whatsapp_protos" (
	"whatsappId" integer NOT NULL,
	"wid" text NOT NULL,
	"message" "bytea" NOT NULL,
	"awaitingAckSince" timestamp with time zone,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "whatsapp_protos_whatsappId_wid_pk" PRIMARY KEY("whatsappId","wid")
);
--> statement-breakpoint
CREATE TABLE "whatsapp_queues" (
	"companyId" integer NOT NULL,
	"whatsappId" integer NOT NULL,
	"queueId" integer NOT NULL,
	CONSTRAINT "whatsapp_queues_whatsappId_queueId_pk" PRIMARY KEY("whatsappId","queueId")
);
--> statement-breakpoint
CREATE TABLE "whatsapps" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"name" text NOT NULL,
	"number" text DEFAULT '' NOT NULL,
	"status" text DEFAULT 'DISCONNECTED' NOT NULL,
	"qrcode" text DEFAULT '' NOT NULL,
	"retries" integer DEFAULT 0 NOT NULL,
	"isDefault" boolean DEFAULT false NOT NULL,
	"token" text NOT NULL,
	"provider" text DEFAULT 'beta' NOT NULL,
	"greetingMessage" text DEFAULT '' NOT NULL,
	"completionMessage" text DEFAULT '' NOT NULL,
	"outOfHoursMessage" text DEFAULT '' NOT NULL,
	"ratingMessage" text DEFAULT '' NOT NULL,
	"expiresInactiveMessage" text DEFAULT '' NOT NULL,
	"expiresTicket" integer DEFAULT 0 NOT NULL,
	"timeUseBotQueues" integer DEFAULT 0 NOT NULL,
	"maxUseBotQueues" integer DEFAULT 3 NOT NULL,
	"timeToTransfer" integer DEFAULT 0 NOT NULL,
	"transferQueueId" integer,
	"integrationId" integer,
	"promptId" integer,
	"schedules" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"wanted" boolean DEFAULT false NOT NULL,
	"lastError" text,
	"newChatsLockedUntil" timestamp with time zone,
	"newChatsLockKind" text,
	"newChatsQuota" integer,
	"newChatsUsed" integer,
	"newChatsCapState" text,
	"newChatsCycleEndsAt" timestamp with time zone,
	"lastMessageInAt" timestamp with time zone,
	"lastMessageOutAt" timestamp with time zone,
	"connectedAt" timestamp with time zone,
	"reusedIds" integer DEFAULT 0 NOT NULL,
	"reusedIdAt" timestamp with time zone,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "automation_decisions" ADD CONSTRAINT "automation_decisions_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "automation_decisions" ADD CONSTRAINT "automation_decisions_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "automation_decisions" ADD CONSTRAINT "automation_decisions_messageId_messages_id_fk" FOREIGN KEY ("messageId") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "automation_states" ADD CONSTRAINT "automation_states_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "automation_states" ADD CONSTRAINT "automation_states_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voice_transcripts" ADD CONSTRAINT "voice_transcripts_messageId_messages_id_fk" FOREIGN KEY ("messageId") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voice_transcripts" ADD CONSTRAINT "voice_transcripts_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_lines" ADD CONSTRAINT "bulk_lines_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_lines" ADD CONSTRAINT "bulk_lines_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_sends" ADD CONSTRAINT "bulk_sends_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_sends" ADD CONSTRAINT "bulk_sends_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_settings" ADD CONSTRAINT "campaign_settings_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_contactListId_contact_lists_id_fk" FOREIGN KEY ("contactListId") REFERENCES "public"."contact_lists"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_tagListId_tags_id_fk" FOREIGN KEY ("tagListId") REFERENCES "public"."tags"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_templateId_templates_id_fk" FOREIGN KEY ("templateId") REFERENCES "public"."templates"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_replyQueueId_queues_id_fk" FOREIGN KEY ("replyQueueId") REFERENCES "public"."queues"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shippings" ADD CONSTRAINT "shippings_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shippings" ADD CONSTRAINT "shippings_campaignId_campaigns_id_fk" FOREIGN KEY ("campaignId") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shippings" ADD CONSTRAINT "shippings_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_chatId_chats_id_fk" FOREIGN KEY ("chatId") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_senderId_users_id_fk" FOREIGN KEY ("senderId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_users" ADD CONSTRAINT "chat_users_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_users" ADD CONSTRAINT "chat_users_chatId_chats_id_fk" FOREIGN KEY ("chatId") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_users" ADD CONSTRAINT "chat_users_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_ownerId_users_id_fk" FOREIGN KEY ("ownerId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "command_log" ADD CONSTRAINT "command_log_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "companies" ADD CONSTRAINT "companies_planId_plans_id_fk" FOREIGN KEY ("planId") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_list_items" ADD CONSTRAINT "contact_list_items_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_list_items" ADD CONSTRAINT "contact_list_items_contactListId_contact_lists_id_fk" FOREIGN KEY ("contactListId") REFERENCES "public"."contact_lists"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_lists" ADD CONSTRAINT "contact_lists_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_aliases" ADD CONSTRAINT "contact_aliases_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_aliases" ADD CONSTRAINT "contact_aliases_contactId_contacts_id_fk" FOREIGN KEY ("contactId") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_merges" ADD CONSTRAINT "contact_merges_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cost_days" ADD CONSTRAINT "cost_days_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cost_notices" ADD CONSTRAINT "cost_notices_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cost_notices" ADD CONSTRAINT "cost_notices_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_costs" ADD CONSTRAINT "message_costs_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_prices" ADD CONSTRAINT "message_prices_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_list_options" ADD CONSTRAINT "file_list_options_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_list_options" ADD CONSTRAINT "file_list_options_fileListId_file_lists_id_fk" FOREIGN KEY ("fileListId") REFERENCES "public"."file_lists"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_lists" ADD CONSTRAINT "file_lists_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_filters" ADD CONSTRAINT "saved_filters_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_filters" ADD CONSTRAINT "saved_filters_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_campaigns" ADD CONSTRAINT "flow_campaigns_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_campaigns" ADD CONSTRAINT "flow_campaigns_flowId_flows_id_fk" FOREIGN KEY ("flowId") REFERENCES "public"."flows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_campaigns" ADD CONSTRAINT "flow_campaigns_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_counts" ADD CONSTRAINT "flow_counts_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_counts" ADD CONSTRAINT "flow_counts_flowId_flows_id_fk" FOREIGN KEY ("flowId") REFERENCES "public"."flows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_defaults" ADD CONSTRAINT "flow_defaults_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_defaults" ADD CONSTRAINT "flow_defaults_flowIdWelcome_flows_id_fk" FOREIGN KEY ("flowIdWelcome") REFERENCES "public"."flows"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_defaults" ADD CONSTRAINT "flow_defaults_flowIdNotPhrase_flows_id_fk" FOREIGN KEY ("flowIdNotPhrase") REFERENCES "public"."flows"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_files" ADD CONSTRAINT "flow_files_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_logs" ADD CONSTRAINT "flow_logs_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_logs" ADD CONSTRAINT "flow_logs_runId_flow_runs_id_fk" FOREIGN KEY ("runId") REFERENCES "public"."flow_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_nodes" ADD CONSTRAINT "flow_nodes_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_nodes" ADD CONSTRAINT "flow_nodes_flowId_flows_id_fk" FOREIGN KEY ("flowId") REFERENCES "public"."flows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_nodes" ADD CONSTRAINT "flow_nodes_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_runs" ADD CONSTRAINT "flow_runs_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_runs" ADD CONSTRAINT "flow_runs_flowId_flows_id_fk" FOREIGN KEY ("flowId") REFERENCES "public"."flows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_runs" ADD CONSTRAINT "flow_runs_versionId_flow_versions_id_fk" FOREIGN KEY ("versionId") REFERENCES "public"."flow_versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_runs" ADD CONSTRAINT "flow_runs_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_runs" ADD CONSTRAINT "flow_runs_contactId_contacts_id_fk" FOREIGN KEY ("contactId") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_runs" ADD CONSTRAINT "flow_runs_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_secrets" ADD CONSTRAINT "flow_secrets_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_secrets" ADD CONSTRAINT "flow_secrets_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_trails" ADD CONSTRAINT "flow_trails_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_trails" ADD CONSTRAINT "flow_trails_flowId_flows_id_fk" FOREIGN KEY ("flowId") REFERENCES "public"."flows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_trails" ADD CONSTRAINT "flow_trails_runId_flow_runs_id_fk" FOREIGN KEY ("runId") REFERENCES "public"."flow_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_versions" ADD CONSTRAINT "flow_versions_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_versions" ADD CONSTRAINT "flow_versions_flowId_flows_id_fk" FOREIGN KEY ("flowId") REFERENCES "public"."flows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_versions" ADD CONSTRAINT "flow_versions_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flows" ADD CONSTRAINT "flows_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_integrations" ADD CONSTRAINT "queue_integrations_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_integrations" ADD CONSTRAINT "queue_integrations_flowId_flows_id_fk" FOREIGN KEY ("flowId") REFERENCES "public"."flows"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "due_notices" ADD CONSTRAINT "due_notices_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_charges" ADD CONSTRAINT "invoice_charges_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_charges" ADD CONSTRAINT "invoice_charges_invoiceId_invoices_id_fk" FOREIGN KEY ("invoiceId") REFERENCES "public"."invoices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_accounts" ADD CONSTRAINT "payment_accounts_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_texts" ADD CONSTRAINT "message_texts_messageId_messages_id_fk" FOREIGN KEY ("messageId") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_texts" ADD CONSTRAINT "message_texts_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_contactId_contacts_id_fk" FOREIGN KEY ("contactId") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_notes" ADD CONSTRAINT "ticket_notes_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_notes" ADD CONSTRAINT "ticket_notes_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oidc_providers" ADD CONSTRAINT "oidc_providers_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oidc_providers" ADD CONSTRAINT "oidc_providers_roleId_roles_id_fk" FOREIGN KEY ("roleId") REFERENCES "public"."roles"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oidc_providers" ADD CONSTRAINT "oidc_providers_breakGlassUserId_users_id_fk" FOREIGN KEY ("breakGlassUserId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "opt_outs" ADD CONSTRAINT "opt_outs_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "opt_outs" ADD CONSTRAINT "opt_outs_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "opt_outs" ADD CONSTRAINT "opt_outs_revokedBy_users_id_fk" FOREIGN KEY ("revokedBy") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_usage" ADD CONSTRAINT "prompt_usage_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompts" ADD CONSTRAINT "prompts_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompts" ADD CONSTRAINT "prompts_queueId_queues_id_fk" FOREIGN KEY ("queueId") REFERENCES "public"."queues"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_preferences" ADD CONSTRAINT "push_preferences_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_preferences" ADD CONSTRAINT "push_preferences_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_sessionId_sessions_id_fk" FOREIGN KEY ("sessionId") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_options" ADD CONSTRAINT "queue_options_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_options" ADD CONSTRAINT "queue_options_queueId_queues_id_fk" FOREIGN KEY ("queueId") REFERENCES "public"."queues"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_options" ADD CONSTRAINT "queue_options_parentId_queue_options_id_fk" FOREIGN KEY ("parentId") REFERENCES "public"."queue_options"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queues" ADD CONSTRAINT "queues_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quick_messages" ADD CONSTRAINT "quick_messages_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quick_messages" ADD CONSTRAINT "quick_messages_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_trackingId_ticket_trackings_id_fk" FOREIGN KEY ("trackingId") REFERENCES "public"."ticket_trackings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "roles" ADD CONSTRAINT "roles_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_contactId_contacts_id_fk" FOREIGN KEY ("contactId") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "segments" ADD CONSTRAINT "segments_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settings" ADD CONSTRAINT "settings_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tags" ADD CONSTRAINT "tags_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "templates" ADD CONSTRAINT "templates_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "templates" ADD CONSTRAINT "templates_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_events" ADD CONSTRAINT "ticket_events_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_events" ADD CONSTRAINT "ticket_events_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_trackings" ADD CONSTRAINT "ticket_trackings_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_trackings" ADD CONSTRAINT "ticket_trackings_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_contactId_contacts_id_fk" FOREIGN KEY ("contactId") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_queueId_queues_id_fk" FOREIGN KEY ("queueId") REFERENCES "public"."queues"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "company_usage" ADD CONSTRAINT "company_usage_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "company_usage_days" ADD CONSTRAINT "company_usage_days_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_operatorId_users_id_fk" FOREIGN KEY ("operatorId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "two_factors" ADD CONSTRAINT "two_factors_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "two_factors" ADD CONSTRAINT "two_factors_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_queues" ADD CONSTRAINT "user_queues_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_queues" ADD CONSTRAINT "user_queues_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_queues" ADD CONSTRAINT "user_queues_queueId_queues_id_fk" FOREIGN KEY ("queueId") REFERENCES "public"."queues"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_roleId_roles_id_fk" FOREIGN KEY ("roleId") REFERENCES "public"."roles"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhookId_webhooks_id_fk" FOREIGN KEY ("webhookId") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_outbox" ADD CONSTRAINT "webhook_outbox_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cloud_changes" ADD CONSTRAINT "cloud_changes_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cloud_chats" ADD CONSTRAINT "cloud_chats_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cloud_media" ADD CONSTRAINT "cloud_media_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cloud_numbers" ADD CONSTRAINT "cloud_numbers_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cloud_numbers" ADD CONSTRAINT "cloud_numbers_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cloud_sends" ADD CONSTRAINT "cloud_sends_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "whatsapp_credentials" ADD CONSTRAINT "whatsapp_credentials_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "whatsapp_journal" ADD CONSTRAINT "whatsapp_journal_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "whatsapp_keys" ADD CONSTRAINT "whatsapp_keys_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "whatsapp_leases" ADD CONSTRAINT "whatsapp_leases_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "whatsapp_protos" ADD CONSTRAINT "whatsapp_protos_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "whatsapp_queues" ADD CONSTRAINT "whatsapp_queues_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "whatsapp_queues" ADD CONSTRAINT "whatsapp_queues_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "whatsapp_queues" ADD CONSTRAINT "whatsapp_queues_queueId_queues_id_fk" FOREIGN KEY ("queueId") REFERENCES "public"."queues"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "whatsapps" ADD CONSTRAINT "whatsapps_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "whatsapps" ADD CONSTRAINT "whatsapps_transferQueueId_queues_id_fk" FOREIGN KEY ("transferQueueId") REFERENCES "public"."queues"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "api_keys_company" ON "api_keys" USING btree ("companyId","id");--> statement-breakpoint
CREATE INDEX "audit_entries_entity" ON "audit_entries" USING btree ("companyId","entity","seq" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_entries_actor" ON "audit_entries" USING btree ("companyId","actorId","seq" DESC NULLS LAST) WHERE "audit_entries"."actorKind" = 'user';--> statement-breakpoint
CREATE INDEX "audit_entries_at" ON "audit_entries" USING btree ("companyId","at");--> statement-breakpoint
CREATE UNIQUE INDEX "automation_decisions_message" ON "automation_decisions" USING btree ("messageId","trigger","id");--> statement-breakpoint
CREATE INDEX "automation_decisions_ticket" ON "automation_decisions" USING btree ("ticketId","createdAt");--> statement-breakpoint
CREATE INDEX "automation_decisions_at" ON "automation_decisions" USING btree ("createdAt");--> statement-breakpoint
CREATE INDEX "automation_decisions_replies" ON "automation_decisions" USING gin ("replies");--> statement-breakpoint
CREATE INDEX "bulk_sends_line" ON "bulk_sends" USING btree ("whatsappId","sentAt" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "bulk_sends_company" ON "bulk_sends" USING btree ("companyId");--> statement-breakpoint
CREATE INDEX "campaigns_page" ON "campaigns" USING btree ("companyId","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "campaigns_due" ON "campaigns" USING btree ("scheduledAt") WHERE "campaigns"."status" = 'PROGRAMADA';--> statement-breakpoint
CREATE INDEX "campaigns_running" ON "campaigns" USING btree ("whatsappId","startedAt") WHERE "campaigns"."status" = 'EM_ANDAMENTO';--> statement-breakpoint
CREATE UNIQUE INDEX "shippings_person" ON "shippings" USING btree ("campaignId","key");--> statement-breakpoint
CREATE UNIQUE INDEX "shippings_wid" ON "shippings" USING btree ("whatsappId","wid");--> statement-breakpoint
CREATE UNIQUE INDEX "shippings_confirmation_wid" ON "shippings" USING btree ("whatsappId","confirmationWid");--> statement-breakpoint
CREATE INDEX "shippings_state" ON "shippings" USING btree ("campaignId","state","id");--> statement-breakpoint
CREATE INDEX "shippings_next" ON "shippings" USING btree ("campaignId","turn","id") WHERE "shippings"."state" = 'planned' AND "shippings"."dueAt" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "shippings_leaving" ON "shippings" USING btree ("whatsappId") WHERE "shippings"."ack" = 1;--> statement-breakpoint
CREATE INDEX "shippings_sent" ON "shippings" USING btree ("whatsappId","sentAt" DESC NULLS LAST) WHERE "shippings"."sentAt" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "shippings_asked" ON "shippings" USING btree ("whatsappId","confirmationRequestedAt" DESC NULLS LAST) WHERE "shippings"."confirmationRequestedAt" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "shippings_of" ON "shippings" USING btree ("companyId","key");--> statement-breakpoint
CREATE INDEX "shippings_lid" ON "shippings" USING btree ("companyId","lid") WHERE "shippings"."lid" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "shippings_ticket" ON "shippings" USING btree ("ticketId");--> statement-breakpoint
CREATE INDEX "chat_messages_chat" ON "chat_messages" USING btree ("chatId","createdAt" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "chat_messages_company" ON "chat_messages" USING btree ("companyId","createdAt");--> statement-breakpoint
CREATE UNIQUE INDEX "chat_users_member" ON "chat_users" USING btree ("chatId","userId");--> statement-breakpoint
CREATE INDEX "chat_users_user" ON "chat_users" USING btree ("userId");--> statement-breakpoint
CREATE INDEX "chats_company" ON "chats" USING btree ("companyId","updatedAt");--> statement-breakpoint
CREATE INDEX "command_log_age" ON "command_log" USING btree ("createdAt");--> statement-breakpoint
CREATE UNIQUE INDEX "companies_name" ON "companies" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "contact_list_items_number" ON "contact_list_items" USING btree ("contactListId","key");--> statement-breakpoint
CREATE INDEX "contact_list_items_page" ON "contact_list_items" USING btree ("contactListId","name","id");--> statement-breakpoint
CREATE INDEX "contact_list_items_unchecked" ON "contact_list_items" USING btree ("contactListId","id") WHERE "contact_list_items"."isWhatsappValid" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "contact_lists_name" ON "contact_lists" USING btree ("companyId","name");--> statement-breakpoint
CREATE INDEX "contact_lists_checks" ON "contact_lists" USING btree ("checkNextAt") WHERE "contact_lists"."checkState" = 'running';--> statement-breakpoint
CREATE UNIQUE INDEX "contact_aliases_id" ON "contact_aliases" USING btree ("companyId","kind","scope","value") WHERE "contact_aliases"."kind" <> 'number';--> statement-breakpoint
CREATE UNIQUE INDEX "contact_aliases_one" ON "contact_aliases" USING btree ("contactId","scope") WHERE "contact_aliases"."kind" = 'bsuid' AND "contact_aliases"."until" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "contact_aliases_number" ON "contact_aliases" USING btree ("contactId","value") WHERE "contact_aliases"."kind" = 'number';--> statement-breakpoint
CREATE INDEX "contact_aliases_value" ON "contact_aliases" USING btree ("companyId","value");--> statement-breakpoint
CREATE UNIQUE INDEX "contacts_number" ON "contacts" USING btree ("companyId","number");--> statement-breakpoint
CREATE UNIQUE INDEX "contacts_lid" ON "contacts" USING btree ("companyId","lid");--> statement-breakpoint
CREATE INDEX "contacts_list" ON "contacts" USING btree ("companyId","name","id");--> statement-breakpoint
CREATE INDEX "contacts_active" ON "contacts" USING btree ("companyId","activeOn","id");--> statement-breakpoint
CREATE INDEX "contacts_created" ON "contacts" USING btree ("companyId","createdAt","id");--> statement-breakpoint
CREATE INDEX "contact_merges_kept" ON "contact_merges" USING btree ("companyId","keptId");--> statement-breakpoint
CREATE INDEX "cost_days_company" ON "cost_days" USING btree ("companyId","day");--> statement-breakpoint
CREATE INDEX "message_costs_day" ON "message_costs" USING btree ("companyId","day") WHERE "message_costs"."day" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "message_costs_ticket" ON "message_costs" USING btree ("ticketId") WHERE "message_costs"."ticketId" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "message_prices_place" ON "message_prices" USING btree ("companyId","market","category","currency","since");--> statement-breakpoint
CREATE INDEX "drafts_user" ON "drafts" USING btree ("userId");--> statement-breakpoint
CREATE INDEX "file_list_options_list" ON "file_list_options" USING btree ("fileListId","position","id");--> statement-breakpoint
CREATE INDEX "file_list_options_file" ON "file_list_options" USING btree ("companyId","mediaPath");--> statement-breakpoint
CREATE INDEX "file_lists_company" ON "file_lists" USING btree ("companyId","name","id");--> statement-breakpoint
CREATE INDEX "saved_filters_user" ON "saved_filters" USING btree ("userId");--> statement-breakpoint
CREATE UNIQUE INDEX "flow_campaigns_phrase" ON "flow_campaigns" USING btree ("companyId",coalesce("whatsappId", 0),"phraseKey");--> statement-breakpoint
CREATE INDEX "flow_campaigns_flow" ON "flow_campaigns" USING btree ("flowId");--> statement-breakpoint
CREATE UNIQUE INDEX "flow_files_name" ON "flow_files" USING btree ("companyId","name");--> statement-breakpoint
CREATE INDEX "flow_logs_run" ON "flow_logs" USING btree ("runId","id");--> statement-breakpoint
CREATE INDEX "flow_logs_at" ON "flow_logs" USING btree ("at");--> statement-breakpoint
CREATE INDEX "flow_nodes_flow" ON "flow_nodes" USING btree ("flowId");--> statement-breakpoint
CREATE UNIQUE INDEX "flow_runs_active" ON "flow_runs" USING btree ("ticketId") WHERE "flow_runs"."endedAt" IS NULL;--> statement-breakpoint
CREATE INDEX "flow_runs_due" ON "flow_runs" USING btree ("wakeAt") WHERE "flow_runs"."endedAt" IS NULL AND "flow_runs"."wakeAt" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "flow_runs_flow" ON "flow_runs" USING btree ("flowId","createdAt");--> statement-breakpoint
CREATE INDEX "flow_runs_contact" ON "flow_runs" USING btree ("contactId");--> statement-breakpoint
CREATE UNIQUE INDEX "flow_secrets_name" ON "flow_secrets" USING btree ("companyId","name");--> statement-breakpoint
CREATE INDEX "flow_trails_at" ON "flow_trails" USING btree ("at");--> statement-breakpoint
CREATE INDEX "flow_trails_run" ON "flow_trails" USING btree ("runId");--> statement-breakpoint
CREATE UNIQUE INDEX "flow_versions_number" ON "flow_versions" USING btree ("flowId","number");--> statement-breakpoint
CREATE UNIQUE INDEX "flows_name" ON "flows" USING btree ("companyId","name");--> statement-breakpoint
CREATE UNIQUE INDEX "queue_integrations_name" ON "queue_integrations" USING btree ("companyId","name");--> statement-breakpoint
CREATE UNIQUE INDEX "invoice_charges_ref" ON "invoice_charges" USING btree ("ref");--> statement-breakpoint
CREATE INDEX "invoice_charges_invoice" ON "invoice_charges" USING btree ("invoiceId","id");--> statement-breakpoint
CREATE INDEX "invoice_charges_check" ON "invoice_charges" USING btree ("checkAt") WHERE "invoice_charges"."checkAt" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "invoice_charges_odd" ON "invoice_charges" USING btree ("id") WHERE "invoice_charges"."status" IN ('short', 'surplus', 'returned');--> statement-breakpoint
CREATE UNIQUE INDEX "invoice_charges_open" ON "invoice_charges" USING btree ("invoiceId") WHERE "invoice_charges"."status" = 'open';--> statement-breakpoint
CREATE INDEX "invoices_due" ON "invoices" USING btree ("companyId","dueDate","id");--> statement-breakpoint
CREATE INDEX "invoices_open" ON "invoices" USING btree ("companyId") WHERE "invoices"."status" = 'open';--> statement-breakpoint
CREATE INDEX "invoices_paid" ON "invoices" USING btree ("paidAt") WHERE "invoices"."status" = 'paid';--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_billed" ON "invoices" USING btree ("companyId","dueDate") WHERE "invoices"."status" <> 'refunded';--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("rank","runAt","id") WHERE "jobs"."failedAt" IS NULL;--> statement-breakpoint
CREATE INDEX "jobs_lane" ON "jobs" USING btree ("lane","id" NULLS FIRST) WHERE "jobs"."failedAt" IS NULL AND "jobs"."lane" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "jobs_failed" ON "jobs" USING btree ("kind","id") WHERE "jobs"."failedAt" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_unique" ON "jobs" USING btree ("uniqueKey") WHERE "jobs"."failedAt" IS NULL AND "jobs"."uniqueKey" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "messages_wid" ON "messages" USING btree ("whatsappId","wid");--> statement-breakpoint
CREATE INDEX "messages_ticket" ON "messages" USING btree ("ticketId","createdAt" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "messages_recent" ON "messages" USING btree ("companyId","createdAt" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "messages_unread" ON "messages" USING btree ("ticketId") WHERE NOT "messages"."read" AND NOT "messages"."fromMe";--> statement-breakpoint
CREATE INDEX "messages_user_scope" ON "messages" USING btree ("ticketId") WHERE "messages"."userScope" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "messages_media" ON "messages" USING btree ("mediaPath") WHERE "messages"."mediaPath" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "ticket_notes_ticket" ON "ticket_notes" USING btree ("ticketId","createdAt");--> statement-breakpoint
CREATE UNIQUE INDEX "opt_outs_active" ON "opt_outs" USING btree ("companyId","key") WHERE "opt_outs"."revokedAt" IS NULL;--> statement-breakpoint
CREATE INDEX "opt_outs_lid" ON "opt_outs" USING btree ("companyId","lid") WHERE "opt_outs"."revokedAt" IS NULL AND "opt_outs"."lid" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "opt_outs_page" ON "opt_outs" USING btree ("companyId","id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "prompts_name" ON "prompts" USING btree ("companyId","name");--> statement-breakpoint
CREATE UNIQUE INDEX "push_endpoint" ON "push_subscriptions" USING btree ("endpoint");--> statement-breakpoint
CREATE INDEX "push_user" ON "push_subscriptions" USING btree ("userId");--> statement-breakpoint
CREATE INDEX "push_session" ON "push_subscriptions" USING btree ("sessionId");--> statement-breakpoint
CREATE INDEX "queue_options_queue" ON "queue_options" USING btree ("queueId","parentId","option");--> statement-breakpoint
CREATE INDEX "queue_options_parent" ON "queue_options" USING btree ("parentId");--> statement-breakpoint
CREATE UNIQUE INDEX "queues_name" ON "queues" USING btree ("companyId","name");--> statement-breakpoint
CREATE UNIQUE INDEX "queues_color" ON "queues" USING btree ("companyId","color");--> statement-breakpoint
CREATE UNIQUE INDEX "quick_messages_own" ON "quick_messages" USING btree ("companyId","userId","shortcode") WHERE NOT "quick_messages"."isGeneral";--> statement-breakpoint
CREATE UNIQUE INDEX "quick_messages_general" ON "quick_messages" USING btree ("companyId","shortcode") WHERE "quick_messages"."isGeneral";--> statement-breakpoint
CREATE UNIQUE INDEX "ratings_service" ON "ratings" USING btree ("trackingId");--> statement-breakpoint
CREATE INDEX "ratings_user" ON "ratings" USING btree ("companyId","userId","createdAt");--> statement-breakpoint
CREATE UNIQUE INDEX "roles_name" ON "roles" USING btree ("companyId",lower("name"));--> statement-breakpoint
CREATE INDEX "schedules_due" ON "schedules" USING btree ("sendAt") WHERE "schedules"."status" IN ('PENDENTE', 'AGENDADA');--> statement-breakpoint
CREATE INDEX "schedules_company" ON "schedules" USING btree ("companyId","sendAt");--> statement-breakpoint
CREATE INDEX "schedules_contact" ON "schedules" USING btree ("contactId");--> statement-breakpoint
CREATE UNIQUE INDEX "segments_name" ON "segments" USING btree ("companyId","name");--> statement-breakpoint
CREATE UNIQUE INDEX "tags_name" ON "tags" USING btree ("companyId","name");--> statement-breakpoint
CREATE UNIQUE INDEX "templates_name" ON "templates" USING btree ("whatsappId","name","language");--> statement-breakpoint
CREATE INDEX "templates_company" ON "templates" USING btree ("companyId","name","language");--> statement-breakpoint
CREATE INDEX "ticket_events_ticket" ON "ticket_events" USING btree ("ticketId","createdAt");--> statement-breakpoint
CREATE UNIQUE INDEX "ticket_trackings_current" ON "ticket_trackings" USING btree ("ticketId") WHERE "ticket_trackings"."finishedAt" IS NULL;--> statement-breakpoint
CREATE INDEX "ticket_trackings_ticket" ON "ticket_trackings" USING btree ("ticketId","id");--> statement-breakpoint
CREATE INDEX "ticket_trackings_range" ON "ticket_trackings" USING btree ("companyId","createdAt");--> statement-breakpoint
CREATE UNIQUE INDEX "tickets_uuid" ON "tickets" USING btree ("uuid");--> statement-breakpoint
CREATE UNIQUE INDEX "tickets_one_active" ON "tickets" USING btree ("contactId","whatsappId") WHERE "tickets"."status" <> 'closed';--> statement-breakpoint
CREATE INDEX "tickets_list" ON "tickets" USING btree ("companyId","status","updatedAt" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "tickets_recent" ON "tickets" USING btree ("companyId","updatedAt" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "tickets_queue" ON "tickets" USING btree ("queueId","status","updatedAt" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "tickets_user" ON "tickets" USING btree ("userId","status","updatedAt" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "tickets_contact" ON "tickets" USING btree ("contactId","updatedAt" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "tickets_tags" ON "tickets" USING gin ("tagIds");--> statement-breakpoint
CREATE INDEX "company_usage_messagesIn" ON "company_usage" USING btree ("messagesIn","companyId");--> statement-breakpoint
CREATE INDEX "company_usage_messagesOut" ON "company_usage" USING btree ("messagesOut","companyId");--> statement-breakpoint
CREATE INDEX "company_usage_tickets" ON "company_usage" USING btree ("tickets","companyId");--> statement-breakpoint
CREATE INDEX "company_usage_openTickets" ON "company_usage" USING btree ("openTickets","companyId");--> statement-breakpoint
CREATE INDEX "company_usage_mediaBytes" ON "company_usage" USING btree ("mediaBytes","companyId");--> statement-breakpoint
CREATE INDEX "company_usage_users" ON "company_usage" USING btree ("users","companyId");--> statement-breakpoint
CREATE INDEX "company_usage_linked" ON "company_usage" USING btree ("linked","companyId");--> statement-breakpoint
CREATE INDEX "passkey_challenges_expiry" ON "passkey_challenges" USING btree ("expiresAt");--> statement-breakpoint
CREATE INDEX "passkey_challenges_user" ON "passkey_challenges" USING btree ("userId");--> statement-breakpoint
CREATE UNIQUE INDEX "passkeys_credential" ON "passkeys" USING btree ("credentialId");--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("userId");--> statement-breakpoint
CREATE INDEX "password_resets_user" ON "password_resets" USING btree ("userId");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_version" ON "sessions" USING btree ("userId","tokenVersion");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expiresAt");--> statement-breakpoint
CREATE INDEX "user_queues_queue" ON "user_queues" USING btree ("queueId");--> statement-breakpoint
CREATE INDEX "users_role_id" ON "users" USING btree ("roleId");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "users_company" ON "users" USING btree ("companyId","name","id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_event" ON "webhook_deliveries" USING btree ("webhookId","eventId");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("webhookId","nextAt","id") WHERE "webhook_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_log" ON "webhook_deliveries" USING btree ("webhookId","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING btree ("createdAt");--> statement-breakpoint
CREATE INDEX "webhook_outbox_company" ON "webhook_outbox" USING btree ("companyId");--> statement-breakpoint
CREATE INDEX "webhooks_company" ON "webhooks" USING btree ("companyId","id");--> statement-breakpoint
CREATE INDEX "cloud_changes_age" ON "cloud_changes" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "cloud_hooks_hash" ON "cloud_hooks" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "cloud_hooks_waiting" ON "cloud_hooks" USING btree ("id") WHERE "cloud_hooks"."body" IS NOT NULL AND "cloud_hooks"."parkedAt" IS NULL;--> statement-breakpoint
CREATE INDEX "cloud_hooks_age" ON "cloud_hooks" USING btree ("createdAt");--> statement-breakpoint
CREATE INDEX "cloud_media_age" ON "cloud_media" USING btree ("createdAt");--> statement-breakpoint
CREATE UNIQUE INDEX "cloud_numbers_phone" ON "cloud_numbers" USING btree ("phoneNumberId");--> statement-breakpoint
CREATE INDEX "cloud_numbers_hook" ON "cloud_numbers" USING btree ("hook");--> statement-breakpoint
CREATE INDEX "cloud_sends_callback" ON "cloud_sends" USING btree ("whatsappId","callback");--> statement-breakpoint
CREATE UNIQUE INDEX "cloud_sends_wamid" ON "cloud_sends" USING btree ("whatsappId","wamid");--> statement-breakpoint
CREATE INDEX "cloud_sends_age" ON "cloud_sends" USING btree ("createdAt");--> statement-breakpoint
CREATE INDEX "whatsapp_journal_order" ON "whatsapp_journal" USING btree ("whatsappId","id");--> statement-breakpoint
CREATE INDEX "whatsapp_protos_age" ON "whatsapp_protos" USING btree ("createdAt");--> statement-breakpoint
CREATE INDEX "whatsapp_protos_unconfirmed" ON "whatsapp_protos" USING btree ("whatsappId") WHERE "whatsapp_protos"."awaitingAckSince" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "whatsapps_name" ON "whatsapps" USING btree ("companyId","name");--> statement-breakpoint
CREATE UNIQUE INDEX "whatsapps_token" ON "whatsapps" USING btree ("token");--> statement-breakpoint
CREATE UNIQUE INDEX "whatsapps_default" ON "whatsapps" USING btree ("companyId") WHERE "whatsapps"."isDefault";