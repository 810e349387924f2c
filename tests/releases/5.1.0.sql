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
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "automation_decisions" ADD CONSTRAINT "automation_decisions_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "automation_decisions" ADD CONSTRAINT "automation_decisions_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "automation_decisions" ADD CONSTRAINT "automation_decisions_messageId_messages_id_fk" FOREIGN KEY ("messageId") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "automation_states" ADD CONSTRAINT "automation_states_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "automation_states" ADD CONSTRAINT "automation_states_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "voice_transcripts" ADD CONSTRAINT "voice_transcripts_messageId_messages_id_fk" FOREIGN KEY ("messageId") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "voice_transcripts" ADD CONSTRAINT "voice_transcripts_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "bulk_lines" ADD CONSTRAINT "bulk_lines_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "bulk_lines" ADD CONSTRAINT "bulk_lines_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "bulk_sends" ADD CONSTRAINT "bulk_sends_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "bulk_sends" ADD CONSTRAINT "bulk_sends_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "campaign_settings" ADD CONSTRAINT "campaign_settings_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_contactListId_contact_lists_id_fk" FOREIGN KEY ("contactListId") REFERENCES "public"."contact_lists"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_tagListId_tags_id_fk" FOREIGN KEY ("tagListId") REFERENCES "public"."tags"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_templateId_templates_id_fk" FOREIGN KEY ("templateId") REFERENCES "public"."templates"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_replyQueueId_queues_id_fk" FOREIGN KEY ("replyQueueId") REFERENCES "public"."queues"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "shippings" ADD CONSTRAINT "shippings_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "shippings" ADD CONSTRAINT "shippings_campaignId_campaigns_id_fk" FOREIGN KEY ("campaignId") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "shippings" ADD CONSTRAINT "shippings_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_chatId_chats_id_fk" FOREIGN KEY ("chatId") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_senderId_users_id_fk" FOREIGN KEY ("senderId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chat_users" ADD CONSTRAINT "chat_users_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chat_users" ADD CONSTRAINT "chat_users_chatId_chats_id_fk" FOREIGN KEY ("chatId") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chat_users" ADD CONSTRAINT "chat_users_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_ownerId_users_id_fk" FOREIGN KEY ("ownerId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "command_log" ADD CONSTRAINT "command_log_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "companies" ADD CONSTRAINT "companies_planId_plans_id_fk" FOREIGN KEY ("planId") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "contact_list_items" ADD CONSTRAINT "contact_list_items_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "contact_list_items" ADD CONSTRAINT "contact_list_items_contactListId_contact_lists_id_fk" FOREIGN KEY ("contactListId") REFERENCES "public"."contact_lists"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "contact_lists" ADD CONSTRAINT "contact_lists_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "contact_aliases" ADD CONSTRAINT "contact_aliases_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "contact_aliases" ADD CONSTRAINT "contact_aliases_contactId_contacts_id_fk" FOREIGN KEY ("contactId") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "contact_merges" ADD CONSTRAINT "contact_merges_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "cost_days" ADD CONSTRAINT "cost_days_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "cost_notices" ADD CONSTRAINT "cost_notices_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "cost_notices" ADD CONSTRAINT "cost_notices_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "message_costs" ADD CONSTRAINT "message_costs_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "message_prices" ADD CONSTRAINT "message_prices_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "file_list_options" ADD CONSTRAINT "file_list_options_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "file_list_options" ADD CONSTRAINT "file_list_options_fileListId_file_lists_id_fk" FOREIGN KEY ("fileListId") REFERENCES "public"."file_lists"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "file_lists" ADD CONSTRAINT "file_lists_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "saved_filters" ADD CONSTRAINT "saved_filters_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "saved_filters" ADD CONSTRAINT "saved_filters_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_campaigns" ADD CONSTRAINT "flow_campaigns_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_campaigns" ADD CONSTRAINT "flow_campaigns_flowId_flows_id_fk" FOREIGN KEY ("flowId") REFERENCES "public"."flows"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_campaigns" ADD CONSTRAINT "flow_campaigns_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_counts" ADD CONSTRAINT "flow_counts_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_counts" ADD CONSTRAINT "flow_counts_flowId_flows_id_fk" FOREIGN KEY ("flowId") REFERENCES "public"."flows"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_defaults" ADD CONSTRAINT "flow_defaults_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_defaults" ADD CONSTRAINT "flow_defaults_flowIdWelcome_flows_id_fk" FOREIGN KEY ("flowIdWelcome") REFERENCES "public"."flows"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_defaults" ADD CONSTRAINT "flow_defaults_flowIdNotPhrase_flows_id_fk" FOREIGN KEY ("flowIdNotPhrase") REFERENCES "public"."flows"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_files" ADD CONSTRAINT "flow_files_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_logs" ADD CONSTRAINT "flow_logs_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_logs" ADD CONSTRAINT "flow_logs_runId_flow_runs_id_fk" FOREIGN KEY ("runId") REFERENCES "public"."flow_runs"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_nodes" ADD CONSTRAINT "flow_nodes_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_nodes" ADD CONSTRAINT "flow_nodes_flowId_flows_id_fk" FOREIGN KEY ("flowId") REFERENCES "public"."flows"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_nodes" ADD CONSTRAINT "flow_nodes_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_runs" ADD CONSTRAINT "flow_runs_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_runs" ADD CONSTRAINT "flow_runs_flowId_flows_id_fk" FOREIGN KEY ("flowId") REFERENCES "public"."flows"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_runs" ADD CONSTRAINT "flow_runs_versionId_flow_versions_id_fk" FOREIGN KEY ("versionId") REFERENCES "public"."flow_versions"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_runs" ADD CONSTRAINT "flow_runs_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_runs" ADD CONSTRAINT "flow_runs_contactId_contacts_id_fk" FOREIGN KEY ("contactId") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_runs" ADD CONSTRAINT "flow_runs_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_secrets" ADD CONSTRAINT "flow_secrets_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_secrets" ADD CONSTRAINT "flow_secrets_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_trails" ADD CONSTRAINT "flow_trails_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_trails" ADD CONSTRAINT "flow_trails_flowId_flows_id_fk" FOREIGN KEY ("flowId") REFERENCES "public"."flows"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_trails" ADD CONSTRAINT "flow_trails_runId_flow_runs_id_fk" FOREIGN KEY ("runId") REFERENCES "public"."flow_runs"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_versions" ADD CONSTRAINT "flow_versions_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_versions" ADD CONSTRAINT "flow_versions_flowId_flows_id_fk" FOREIGN KEY ("flowId") REFERENCES "public"."flows"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_versions" ADD CONSTRAINT "flow_versions_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flows" ADD CONSTRAINT "flows_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "queue_integrations" ADD CONSTRAINT "queue_integrations_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "queue_integrations" ADD CONSTRAINT "queue_integrations_flowId_flows_id_fk" FOREIGN KEY ("flowId") REFERENCES "public"."flows"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "due_notices" ADD CONSTRAINT "due_notices_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "invoice_charges" ADD CONSTRAINT "invoice_charges_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "invoice_charges" ADD CONSTRAINT "invoice_charges_invoiceId_invoices_id_fk" FOREIGN KEY ("invoiceId") REFERENCES "public"."invoices"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payment_accounts" ADD CONSTRAINT "payment_accounts_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "message_texts" ADD CONSTRAINT "message_texts_messageId_messages_id_fk" FOREIGN KEY ("messageId") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "message_texts" ADD CONSTRAINT "message_texts_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_contactId_contacts_id_fk" FOREIGN KEY ("contactId") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ticket_notes" ADD CONSTRAINT "ticket_notes_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ticket_notes" ADD CONSTRAINT "ticket_notes_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "oidc_providers" ADD CONSTRAINT "oidc_providers_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "oidc_providers" ADD CONSTRAINT "oidc_providers_roleId_roles_id_fk" FOREIGN KEY ("roleId") REFERENCES "public"."roles"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "oidc_providers" ADD CONSTRAINT "oidc_providers_breakGlassUserId_users_id_fk" FOREIGN KEY ("breakGlassUserId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "opt_outs" ADD CONSTRAINT "opt_outs_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "opt_outs" ADD CONSTRAINT "opt_outs_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "opt_outs" ADD CONSTRAINT "opt_outs_revokedBy_users_id_fk" FOREIGN KEY ("revokedBy") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prompt_usage" ADD CONSTRAINT "prompt_usage_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prompts" ADD CONSTRAINT "prompts_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prompts" ADD CONSTRAINT "prompts_queueId_queues_id_fk" FOREIGN KEY ("queueId") REFERENCES "public"."queues"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "push_preferences" ADD CONSTRAINT "push_preferences_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "push_preferences" ADD CONSTRAINT "push_preferences_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_sessionId_sessions_id_fk" FOREIGN KEY ("sessionId") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "queue_options" ADD CONSTRAINT "queue_options_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "queue_options" ADD CONSTRAINT "queue_options_queueId_queues_id_fk" FOREIGN KEY ("queueId") REFERENCES "public"."queues"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "queue_options" ADD CONSTRAINT "queue_options_parentId_queue_options_id_fk" FOREIGN KEY ("parentId") REFERENCES "public"."queue_options"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "queues" ADD CONSTRAINT "queues_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "quick_messages" ADD CONSTRAINT "quick_messages_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "quick_messages" ADD CONSTRAINT "quick_messages_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_trackingId_ticket_trackings_id_fk" FOREIGN KEY ("trackingId") REFERENCES "public"."ticket_trackings"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "roles" ADD CONSTRAINT "roles_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_contactId_contacts_id_fk" FOREIGN KEY ("contactId") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "segments" ADD CONSTRAINT "segments_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "settings" ADD CONSTRAINT "settings_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tags" ADD CONSTRAINT "tags_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "templates" ADD CONSTRAINT "templates_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "templates" ADD CONSTRAINT "templates_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ticket_events" ADD CONSTRAINT "ticket_events_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ticket_events" ADD CONSTRAINT "ticket_events_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ticket_trackings" ADD CONSTRAINT "ticket_trackings_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ticket_trackings" ADD CONSTRAINT "ticket_trackings_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_contactId_contacts_id_fk" FOREIGN KEY ("contactId") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_queueId_queues_id_fk" FOREIGN KEY ("queueId") REFERENCES "public"."queues"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "company_usage" ADD CONSTRAINT "company_usage_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "company_usage_days" ADD CONSTRAINT "company_usage_days_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_operatorId_users_id_fk" FOREIGN KEY ("operatorId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "two_factors" ADD CONSTRAINT "two_factors_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "two_factors" ADD CONSTRAINT "two_factors_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "user_queues" ADD CONSTRAINT "user_queues_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "user_queues" ADD CONSTRAINT "user_queues_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "user_queues" ADD CONSTRAINT "user_queues_queueId_queues_id_fk" FOREIGN KEY ("queueId") REFERENCES "public"."queues"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_roleId_roles_id_fk" FOREIGN KEY ("roleId") REFERENCES "public"."roles"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhookId_webhooks_id_fk" FOREIGN KEY ("webhookId") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "webhook_outbox" ADD CONSTRAINT "webhook_outbox_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "cloud_changes" ADD CONSTRAINT "cloud_changes_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "cloud_chats" ADD CONSTRAINT "cloud_chats_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "cloud_media" ADD CONSTRAINT "cloud_media_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "cloud_numbers" ADD CONSTRAINT "cloud_numbers_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "cloud_numbers" ADD CONSTRAINT "cloud_numbers_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "cloud_sends" ADD CONSTRAINT "cloud_sends_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "whatsapp_credentials" ADD CONSTRAINT "whatsapp_credentials_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "whatsapp_journal" ADD CONSTRAINT "whatsapp_journal_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "whatsapp_keys" ADD CONSTRAINT "whatsapp_keys_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "whatsapp_leases" ADD CONSTRAINT "whatsapp_leases_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "whatsapp_protos" ADD CONSTRAINT "whatsapp_protos_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "whatsapp_queues" ADD CONSTRAINT "whatsapp_queues_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "whatsapp_queues" ADD CONSTRAINT "whatsapp_queues_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "whatsapp_queues" ADD CONSTRAINT "whatsapp_queues_queueId_queues_id_fk" FOREIGN KEY ("queueId") REFERENCES "public"."queues"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "whatsapps" ADD CONSTRAINT "whatsapps_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "whatsapps" ADD CONSTRAINT "whatsapps_transferQueueId_queues_id_fk" FOREIGN KEY ("transferQueueId") REFERENCES "public"."queues"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");
--> statement-breakpoint
CREATE INDEX "api_keys_company" ON "api_keys" USING btree ("companyId","id");
--> statement-breakpoint
CREATE INDEX "audit_entries_entity" ON "audit_entries" USING btree ("companyId","entity","seq" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "audit_entries_actor" ON "audit_entries" USING btree ("companyId","actorId","seq" DESC NULLS LAST) WHERE "audit_entries"."actorKind" = 'user';
--> statement-breakpoint
CREATE INDEX "audit_entries_at" ON "audit_entries" USING btree ("companyId","at");
--> statement-breakpoint
CREATE UNIQUE INDEX "automation_decisions_message" ON "automation_decisions" USING btree ("messageId","trigger","id");
--> statement-breakpoint
CREATE INDEX "automation_decisions_ticket" ON "automation_decisions" USING btree ("ticketId","createdAt");
--> statement-breakpoint
CREATE INDEX "automation_decisions_at" ON "automation_decisions" USING btree ("createdAt");
--> statement-breakpoint
CREATE INDEX "automation_decisions_replies" ON "automation_decisions" USING gin ("replies");
--> statement-breakpoint
CREATE INDEX "bulk_sends_line" ON "bulk_sends" USING btree ("whatsappId","sentAt" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "bulk_sends_company" ON "bulk_sends" USING btree ("companyId");
--> statement-breakpoint
CREATE INDEX "campaigns_page" ON "campaigns" USING btree ("companyId","id" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "campaigns_due" ON "campaigns" USING btree ("scheduledAt") WHERE "campaigns"."status" = 'PROGRAMADA';
--> statement-breakpoint
CREATE INDEX "campaigns_running" ON "campaigns" USING btree ("whatsappId","startedAt") WHERE "campaigns"."status" = 'EM_ANDAMENTO';
--> statement-breakpoint
CREATE UNIQUE INDEX "shippings_person" ON "shippings" USING btree ("campaignId","key");
--> statement-breakpoint
CREATE UNIQUE INDEX "shippings_wid" ON "shippings" USING btree ("whatsappId","wid");
--> statement-breakpoint
CREATE UNIQUE INDEX "shippings_confirmation_wid" ON "shippings" USING btree ("whatsappId","confirmationWid");
--> statement-breakpoint
CREATE INDEX "shippings_state" ON "shippings" USING btree ("campaignId","state","id");
--> statement-breakpoint
CREATE INDEX "shippings_next" ON "shippings" USING btree ("campaignId","turn","id") WHERE "shippings"."state" = 'planned' AND "shippings"."dueAt" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "shippings_leaving" ON "shippings" USING btree ("whatsappId") WHERE "shippings"."ack" = 1;
--> statement-breakpoint
CREATE INDEX "shippings_sent" ON "shippings" USING btree ("whatsappId","sentAt" DESC NULLS LAST) WHERE "shippings"."sentAt" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "shippings_asked" ON "shippings" USING btree ("whatsappId","confirmationRequestedAt" DESC NULLS LAST) WHERE "shippings"."confirmationRequestedAt" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "shippings_of" ON "shippings" USING btree ("companyId","key");
--> statement-breakpoint
CREATE INDEX "shippings_lid" ON "shippings" USING btree ("companyId","lid") WHERE "shippings"."lid" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "shippings_ticket" ON "shippings" USING btree ("ticketId");
--> statement-breakpoint
CREATE INDEX "chat_messages_chat" ON "chat_messages" USING btree ("chatId","createdAt" DESC NULLS LAST,"id" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "chat_messages_company" ON "chat_messages" USING btree ("companyId","createdAt");
--> statement-breakpoint
CREATE UNIQUE INDEX "chat_users_member" ON "chat_users" USING btree ("chatId","userId");
--> statement-breakpoint
CREATE INDEX "chat_users_user" ON "chat_users" USING btree ("userId");
--> statement-breakpoint
CREATE INDEX "chats_company" ON "chats" USING btree ("companyId","updatedAt");
--> statement-breakpoint
CREATE INDEX "command_log_age" ON "command_log" USING btree ("createdAt");
--> statement-breakpoint
CREATE UNIQUE INDEX "companies_name" ON "companies" USING btree (lower("name"));
--> statement-breakpoint
CREATE UNIQUE INDEX "contact_list_items_number" ON "contact_list_items" USING btree ("contactListId","key");
--> statement-breakpoint
CREATE INDEX "contact_list_items_page" ON "contact_list_items" USING btree ("contactListId","name","id");
--> statement-breakpoint
CREATE INDEX "contact_list_items_unchecked" ON "contact_list_items" USING btree ("contactListId","id") WHERE "contact_list_items"."isWhatsappValid" IS NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX "contact_lists_name" ON "contact_lists" USING btree ("companyId","name");
--> statement-breakpoint
CREATE INDEX "contact_lists_checks" ON "contact_lists" USING btree ("checkNextAt") WHERE "contact_lists"."checkState" = 'running';
--> statement-breakpoint
CREATE UNIQUE INDEX "contact_aliases_id" ON "contact_aliases" USING btree ("companyId","kind","scope","value") WHERE "contact_aliases"."kind" <> 'number';
--> statement-breakpoint
CREATE UNIQUE INDEX "contact_aliases_one" ON "contact_aliases" USING btree ("contactId","scope") WHERE "contact_aliases"."kind" = 'bsuid' AND "contact_aliases"."until" IS NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX "contact_aliases_number" ON "contact_aliases" USING btree ("contactId","value") WHERE "contact_aliases"."kind" = 'number';
--> statement-breakpoint
CREATE INDEX "contact_aliases_value" ON "contact_aliases" USING btree ("companyId","value");
--> statement-breakpoint
CREATE UNIQUE INDEX "contacts_number" ON "contacts" USING btree ("companyId","number");
--> statement-breakpoint
CREATE UNIQUE INDEX "contacts_lid" ON "contacts" USING btree ("companyId","lid");
--> statement-breakpoint
CREATE INDEX "contacts_list" ON "contacts" USING btree ("companyId","name","id");
--> statement-breakpoint
CREATE INDEX "contacts_active" ON "contacts" USING btree ("companyId","activeOn","id");
--> statement-breakpoint
CREATE INDEX "contacts_created" ON "contacts" USING btree ("companyId","createdAt","id");
--> statement-breakpoint
CREATE INDEX "contact_merges_kept" ON "contact_merges" USING btree ("companyId","keptId");
--> statement-breakpoint
CREATE INDEX "cost_days_company" ON "cost_days" USING btree ("companyId","day");
--> statement-breakpoint
CREATE INDEX "message_costs_day" ON "message_costs" USING btree ("companyId","day") WHERE "message_costs"."day" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "message_costs_ticket" ON "message_costs" USING btree ("ticketId") WHERE "message_costs"."ticketId" IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX "message_prices_place" ON "message_prices" USING btree ("companyId","market","category","currency","since");
--> statement-breakpoint
CREATE INDEX "drafts_user" ON "drafts" USING btree ("userId");
--> statement-breakpoint
CREATE INDEX "file_list_options_list" ON "file_list_options" USING btree ("fileListId","position","id");
--> statement-breakpoint
CREATE INDEX "file_list_options_file" ON "file_list_options" USING btree ("companyId","mediaPath");
--> statement-breakpoint
CREATE INDEX "file_lists_company" ON "file_lists" USING btree ("companyId","name","id");
--> statement-breakpoint
CREATE INDEX "saved_filters_user" ON "saved_filters" USING btree ("userId");
--> statement-breakpoint
CREATE UNIQUE INDEX "flow_campaigns_phrase" ON "flow_campaigns" USING btree ("companyId",coalesce("whatsappId", 0),"phraseKey");
--> statement-breakpoint
CREATE INDEX "flow_campaigns_flow" ON "flow_campaigns" USING btree ("flowId");
--> statement-breakpoint
CREATE UNIQUE INDEX "flow_files_name" ON "flow_files" USING btree ("companyId","name");
--> statement-breakpoint
CREATE INDEX "flow_logs_run" ON "flow_logs" USING btree ("runId","id");
--> statement-breakpoint
CREATE INDEX "flow_logs_at" ON "flow_logs" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "flow_nodes_flow" ON "flow_nodes" USING btree ("flowId");
--> statement-breakpoint
CREATE UNIQUE INDEX "flow_runs_active" ON "flow_runs" USING btree ("ticketId") WHERE "flow_runs"."endedAt" IS NULL;
--> statement-breakpoint
CREATE INDEX "flow_runs_due" ON "flow_runs" USING btree ("wakeAt") WHERE "flow_runs"."endedAt" IS NULL AND "flow_runs"."wakeAt" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "flow_runs_flow" ON "flow_runs" USING btree ("flowId","createdAt");
--> statement-breakpoint
CREATE INDEX "flow_runs_contact" ON "flow_runs" USING btree ("contactId");
--> statement-breakpoint
CREATE UNIQUE INDEX "flow_secrets_name" ON "flow_secrets" USING btree ("companyId","name");
--> statement-breakpoint
CREATE INDEX "flow_trails_at" ON "flow_trails" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "flow_trails_run" ON "flow_trails" USING btree ("runId");
--> statement-breakpoint
CREATE UNIQUE INDEX "flow_versions_number" ON "flow_versions" USING btree ("flowId","number");
--> statement-breakpoint
CREATE UNIQUE INDEX "flows_name" ON "flows" USING btree ("companyId","name");
--> statement-breakpoint
CREATE UNIQUE INDEX "queue_integrations_name" ON "queue_integrations" USING btree ("companyId","name");
--> statement-breakpoint
CREATE UNIQUE INDEX "invoice_charges_ref" ON "invoice_charges" USING btree ("ref");
--> statement-breakpoint
CREATE INDEX "invoice_charges_invoice" ON "invoice_charges" USING btree ("invoiceId","id");
--> statement-breakpoint
CREATE INDEX "invoice_charges_check" ON "invoice_charges" USING btree ("checkAt") WHERE "invoice_charges"."checkAt" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "invoice_charges_odd" ON "invoice_charges" USING btree ("id") WHERE "invoice_charges"."status" IN ('short', 'surplus', 'returned');
--> statement-breakpoint
CREATE UNIQUE INDEX "invoice_charges_open" ON "invoice_charges" USING btree ("invoiceId") WHERE "invoice_charges"."status" = 'open';
--> statement-breakpoint
CREATE INDEX "invoices_due" ON "invoices" USING btree ("companyId","dueDate","id");
--> statement-breakpoint
CREATE INDEX "invoices_open" ON "invoices" USING btree ("companyId") WHERE "invoices"."status" = 'open';
--> statement-breakpoint
CREATE INDEX "invoices_paid" ON "invoices" USING btree ("paidAt") WHERE "invoices"."status" = 'paid';
--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_billed" ON "invoices" USING btree ("companyId","dueDate") WHERE "invoices"."status" <> 'refunded';
--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("rank","runAt","id") WHERE "jobs"."failedAt" IS NULL;
--> statement-breakpoint
CREATE INDEX "jobs_lane" ON "jobs" USING btree ("lane","id" NULLS FIRST) WHERE "jobs"."failedAt" IS NULL AND "jobs"."lane" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "jobs_failed" ON "jobs" USING btree ("kind","id") WHERE "jobs"."failedAt" IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_unique" ON "jobs" USING btree ("uniqueKey") WHERE "jobs"."failedAt" IS NULL AND "jobs"."uniqueKey" IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX "messages_wid" ON "messages" USING btree ("whatsappId","wid");
--> statement-breakpoint
CREATE INDEX "messages_ticket" ON "messages" USING btree ("ticketId","createdAt" DESC NULLS LAST,"id" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "messages_recent" ON "messages" USING btree ("companyId","createdAt" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "messages_unread" ON "messages" USING btree ("ticketId") WHERE NOT "messages"."read" AND NOT "messages"."fromMe";
--> statement-breakpoint
CREATE INDEX "messages_user_scope" ON "messages" USING btree ("ticketId") WHERE "messages"."userScope" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "messages_media" ON "messages" USING btree ("mediaPath") WHERE "messages"."mediaPath" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "ticket_notes_ticket" ON "ticket_notes" USING btree ("ticketId","createdAt");
--> statement-breakpoint
CREATE UNIQUE INDEX "opt_outs_active" ON "opt_outs" USING btree ("companyId","key") WHERE "opt_outs"."revokedAt" IS NULL;
--> statement-breakpoint
CREATE INDEX "opt_outs_lid" ON "opt_outs" USING btree ("companyId","lid") WHERE "opt_outs"."revokedAt" IS NULL AND "opt_outs"."lid" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "opt_outs_page" ON "opt_outs" USING btree ("companyId","id" DESC NULLS LAST);
--> statement-breakpoint
CREATE UNIQUE INDEX "prompts_name" ON "prompts" USING btree ("companyId","name");
--> statement-breakpoint
CREATE UNIQUE INDEX "push_endpoint" ON "push_subscriptions" USING btree ("endpoint");
--> statement-breakpoint
CREATE INDEX "push_user" ON "push_subscriptions" USING btree ("userId");
--> statement-breakpoint
CREATE INDEX "push_session" ON "push_subscriptions" USING btree ("sessionId");
--> statement-breakpoint
CREATE INDEX "queue_options_queue" ON "queue_options" USING btree ("queueId","parentId","option");
--> statement-breakpoint
CREATE INDEX "queue_options_parent" ON "queue_options" USING btree ("parentId");
--> statement-breakpoint
CREATE UNIQUE INDEX "queues_name" ON "queues" USING btree ("companyId","name");
--> statement-breakpoint
CREATE UNIQUE INDEX "queues_color" ON "queues" USING btree ("companyId","color");
--> statement-breakpoint
CREATE UNIQUE INDEX "quick_messages_own" ON "quick_messages" USING btree ("companyId","userId","shortcode") WHERE NOT "quick_messages"."isGeneral";
--> statement-breakpoint
CREATE UNIQUE INDEX "quick_messages_general" ON "quick_messages" USING btree ("companyId","shortcode") WHERE "quick_messages"."isGeneral";
--> statement-breakpoint
CREATE UNIQUE INDEX "ratings_service" ON "ratings" USING btree ("trackingId");
--> statement-breakpoint
CREATE INDEX "ratings_user" ON "ratings" USING btree ("companyId","userId","createdAt");
--> statement-breakpoint
CREATE UNIQUE INDEX "roles_name" ON "roles" USING btree ("companyId",lower("name"));
--> statement-breakpoint
CREATE INDEX "schedules_due" ON "schedules" USING btree ("sendAt") WHERE "schedules"."status" IN ('PENDENTE', 'AGENDADA');
--> statement-breakpoint
CREATE INDEX "schedules_company" ON "schedules" USING btree ("companyId","sendAt");
--> statement-breakpoint
CREATE INDEX "schedules_contact" ON "schedules" USING btree ("contactId");
--> statement-breakpoint
CREATE UNIQUE INDEX "segments_name" ON "segments" USING btree ("companyId","name");
--> statement-breakpoint
CREATE UNIQUE INDEX "tags_name" ON "tags" USING btree ("companyId","name");
--> statement-breakpoint
CREATE UNIQUE INDEX "templates_name" ON "templates" USING btree ("whatsappId","name","language");
--> statement-breakpoint
CREATE INDEX "templates_company" ON "templates" USING btree ("companyId","name","language");
--> statement-breakpoint
CREATE INDEX "ticket_events_ticket" ON "ticket_events" USING btree ("ticketId","createdAt");
--> statement-breakpoint
CREATE UNIQUE INDEX "ticket_trackings_current" ON "ticket_trackings" USING btree ("ticketId") WHERE "ticket_trackings"."finishedAt" IS NULL;
--> statement-breakpoint
CREATE INDEX "ticket_trackings_ticket" ON "ticket_trackings" USING btree ("ticketId","id");
--> statement-breakpoint
CREATE INDEX "ticket_trackings_range" ON "ticket_trackings" USING btree ("companyId","createdAt");
--> statement-breakpoint
CREATE UNIQUE INDEX "tickets_uuid" ON "tickets" USING btree ("uuid");
--> statement-breakpoint
CREATE UNIQUE INDEX "tickets_one_active" ON "tickets" USING btree ("contactId","whatsappId") WHERE "tickets"."status" <> 'closed';
--> statement-breakpoint
CREATE INDEX "tickets_list" ON "tickets" USING btree ("companyId","status","updatedAt" DESC NULLS LAST,"id" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "tickets_recent" ON "tickets" USING btree ("companyId","updatedAt" DESC NULLS LAST,"id" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "tickets_queue" ON "tickets" USING btree ("queueId","status","updatedAt" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "tickets_user" ON "tickets" USING btree ("userId","status","updatedAt" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "tickets_contact" ON "tickets" USING btree ("contactId","updatedAt" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "tickets_tags" ON "tickets" USING gin ("tagIds");
--> statement-breakpoint
CREATE INDEX "company_usage_messagesIn" ON "company_usage" USING btree ("messagesIn","companyId");
--> statement-breakpoint
CREATE INDEX "company_usage_messagesOut" ON "company_usage" USING btree ("messagesOut","companyId");
--> statement-breakpoint
CREATE INDEX "company_usage_tickets" ON "company_usage" USING btree ("tickets","companyId");
--> statement-breakpoint
CREATE INDEX "company_usage_openTickets" ON "company_usage" USING btree ("openTickets","companyId");
--> statement-breakpoint
CREATE INDEX "company_usage_mediaBytes" ON "company_usage" USING btree ("mediaBytes","companyId");
--> statement-breakpoint
CREATE INDEX "company_usage_users" ON "company_usage" USING btree ("users","companyId");
--> statement-breakpoint
CREATE INDEX "company_usage_linked" ON "company_usage" USING btree ("linked","companyId");
--> statement-breakpoint
CREATE INDEX "passkey_challenges_expiry" ON "passkey_challenges" USING btree ("expiresAt");
--> statement-breakpoint
CREATE INDEX "passkey_challenges_user" ON "passkey_challenges" USING btree ("userId");
--> statement-breakpoint
CREATE UNIQUE INDEX "passkeys_credential" ON "passkeys" USING btree ("credentialId");
--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("userId");
--> statement-breakpoint
CREATE INDEX "password_resets_user" ON "password_resets" USING btree ("userId");
--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_version" ON "sessions" USING btree ("userId","tokenVersion");
--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expiresAt");
--> statement-breakpoint
CREATE INDEX "user_queues_queue" ON "user_queues" USING btree ("queueId");
--> statement-breakpoint
CREATE INDEX "users_role_id" ON "users" USING btree ("roleId");
--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree (lower("email"));
--> statement-breakpoint
CREATE INDEX "users_company" ON "users" USING btree ("companyId","name","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_event" ON "webhook_deliveries" USING btree ("webhookId","eventId");
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("webhookId","nextAt","id") WHERE "webhook_deliveries"."state" = 'waiting';
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_log" ON "webhook_deliveries" USING btree ("webhookId","id" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING btree ("createdAt");
--> statement-breakpoint
CREATE INDEX "webhook_outbox_company" ON "webhook_outbox" USING btree ("companyId");
--> statement-breakpoint
CREATE INDEX "webhooks_company" ON "webhooks" USING btree ("companyId","id");
--> statement-breakpoint
CREATE INDEX "cloud_changes_age" ON "cloud_changes" USING btree ("at");
--> statement-breakpoint
CREATE UNIQUE INDEX "cloud_hooks_hash" ON "cloud_hooks" USING btree ("hash");
--> statement-breakpoint
CREATE INDEX "cloud_hooks_waiting" ON "cloud_hooks" USING btree ("id") WHERE "cloud_hooks"."body" IS NOT NULL AND "cloud_hooks"."parkedAt" IS NULL;
--> statement-breakpoint
CREATE INDEX "cloud_hooks_age" ON "cloud_hooks" USING btree ("createdAt");
--> statement-breakpoint
CREATE INDEX "cloud_media_age" ON "cloud_media" USING btree ("createdAt");
--> statement-breakpoint
CREATE UNIQUE INDEX "cloud_numbers_phone" ON "cloud_numbers" USING btree ("phoneNumberId");
--> statement-breakpoint
CREATE INDEX "cloud_numbers_hook" ON "cloud_numbers" USING btree ("hook");
--> statement-breakpoint
CREATE INDEX "cloud_sends_callback" ON "cloud_sends" USING btree ("whatsappId","callback");
--> statement-breakpoint
CREATE UNIQUE INDEX "cloud_sends_wamid" ON "cloud_sends" USING btree ("whatsappId","wamid");
--> statement-breakpoint
CREATE INDEX "cloud_sends_age" ON "cloud_sends" USING btree ("createdAt");
--> statement-breakpoint
CREATE INDEX "whatsapp_journal_order" ON "whatsapp_journal" USING btree ("whatsappId","id");
--> statement-breakpoint
CREATE INDEX "whatsapp_protos_age" ON "whatsapp_protos" USING btree ("createdAt");
--> statement-breakpoint
CREATE INDEX "whatsapp_protos_unconfirmed" ON "whatsapp_protos" USING btree ("whatsappId") WHERE "whatsapp_protos"."awaitingAckSince" IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX "whatsapps_name" ON "whatsapps" USING btree ("companyId","name");
--> statement-breakpoint
CREATE UNIQUE INDEX "whatsapps_token" ON "whatsapps" USING btree ("token");
--> statement-breakpoint
CREATE UNIQUE INDEX "whatsapps_default" ON "whatsapps" USING btree ("companyId") WHERE "whatsapps"."isDefault";
--> statement-breakpoint
-- What search reads, on the server and in lists of the administration.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS unaccent;
--> statement-breakpoint
-- unaccent() is only STABLE; this wrapper names its dictionary, so an index may use it. Every row that a search reads
-- goes through it, and PL/pgSQL calls it in a fifth of the time that SQL takes, which could not inline it.
CREATE FUNCTION plain(text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  RETURN lower(public.unaccent('public.unaccent', $1));
END $$;
--> statement-breakpoint
-- Who a number is, however it is spelt: `numberKey` of schema/contacts/contacts.phone.ts.
CREATE FUNCTION number_key(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT CASE
    WHEN $1 ~ '^55[1-9]{2}9[6-9][0-9]{7}$' THEN left($1, 4) || substr($1, 6)
    WHEN $1 ~ '^(549|521)[0-9]{10}$' THEN left($1, 2) || substr($1, 4)
    ELSE $1
  END
$$;
--> statement-breakpoint
CREATE INDEX contacts_number_key ON contacts ("companyId", number_key("number"));
--> statement-breakpoint
-- What a message is found by: six letters or digits in a row, from each place of its words where at least three are
-- left; at the end of a word as many as there are. A text of up to six stands in a message if, and only if, one of these
-- begins with it. A text is taken in parts, because a letter is found in it by counting from its beginning, and no
-- further than a message's body is long: what it costs is bounded, whatever somebody writes. Not declared safe for parallel plans: starting workers takes longer than a search.
CREATE FUNCTION word_pieces(text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  folded text := public.plain(left($1, 4096));
  word text;
  pieces text[] := '{}';
BEGIN
  FOR start IN 1..length(folded) BY 300 LOOP
    FOREACH word IN ARRAY regexp_split_to_array(substr(folded, start, 305), '[^a-z0-9]+') LOOP
      FOR i IN 1..length(word) - 2 LOOP
        pieces := array_append(pieces, substr(word, i, 6));
      END LOOP;
    END LOOP;
  END LOOP;
  RETURN array_to_tsvector(pieces);
END $$;
--> statement-breakpoint
CREATE INDEX "contacts_search" ON "contacts" USING gin (plain("name") gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "contacts_number_search" ON "contacts" USING gin ("number" gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "contacts_email_search" ON "contacts" USING gin (lower("email") gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "contacts_username_search" ON "contacts" USING gin (lower("username") gin_trgm_ops) WHERE "username" IS NOT NULL;
--> statement-breakpoint
-- The operator finds a company by either of them.
CREATE INDEX "companies_search" ON "companies" USING gin (plain("name") gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "companies_email_search" ON "companies" USING gin (plain("email") gin_trgm_ops);
--> statement-breakpoint
-- Of the people of one company: each name would be made plain for every search.
CREATE INDEX "users_search" ON "users" USING gin (plain("name") gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "users_email_search" ON "users" USING gin (lower("email") gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "messages_search" ON "messages" USING gin (word_pieces("body")) WHERE "mediaType" = 'chat';
--> statement-breakpoint
-- A message, a note and a timeline row repeat who sees their ticket, so that a shape can decide by columns of its own
-- table who gets them. Only what stands here writes the copies.
--
-- "userScope" names the ticket's user only where the queue does not show it to them: that an agent of the queue accepts
-- or returns a ticket changes nothing of what was said in it.
CREATE FUNCTION user_scope(queue integer, agent integer) RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF agent IS NULL OR EXISTS (SELECT FROM "user_queues" WHERE "userId" = agent AND "queueId" = queue) THEN
    RETURN NULL;
  END IF;
  RETURN agent;
END $$;
--> statement-breakpoint
CREATE FUNCTION copy_ticket_scope() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT "queueId", user_scope("queueId", "userId") INTO NEW."queueScope", NEW."userScope"
    FROM "tickets" WHERE "id" = NEW."ticketId";
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER "messages_scope" BEFORE INSERT OR UPDATE OF "ticketId" ON "messages" FOR EACH ROW EXECUTE FUNCTION copy_ticket_scope();
--> statement-breakpoint
CREATE TRIGGER "ticket_notes_scope" BEFORE INSERT OR UPDATE OF "ticketId" ON "ticket_notes" FOR EACH ROW EXECUTE FUNCTION copy_ticket_scope();
--> statement-breakpoint
CREATE TRIGGER "ticket_events_scope" BEFORE INSERT OR UPDATE OF "ticketId" ON "ticket_events" FOR EACH ROW EXECUTE FUNCTION copy_ticket_scope();
--> statement-breakpoint
-- A ticket that changes hands takes its last hundred messages and timeline rows along, whatever its length. What is
-- older leaves the replicas of agents for good, by the job: its queue becomes -1, which nobody has. The server still
-- shows it, page by page, to who may see the ticket.
CREATE FUNCTION rescope_ticket(ticket integer, company integer, queue integer, agent integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  owner integer := user_scope(queue, agent);
BEGIN
  UPDATE "messages" SET "queueScope" = queue, "userScope" = owner
    WHERE "id" IN (SELECT "id" FROM "messages" WHERE "ticketId" = ticket
        ORDER BY "createdAt" DESC NULLS LAST, "id" DESC NULLS LAST LIMIT 100)
      AND ("queueScope" IS DISTINCT FROM queue OR "userScope" IS DISTINCT FROM owner);
  UPDATE "messages" SET "userScope" = NULL
    WHERE "ticketId" = ticket AND "userScope" IS NOT NULL AND "userScope" IS DISTINCT FROM owner;
  UPDATE "ticket_events" SET "queueScope" = queue, "userScope" = owner
    WHERE "id" IN (SELECT "id" FROM "ticket_events" WHERE "ticketId" = ticket ORDER BY "createdAt" DESC LIMIT 100)
      AND ("queueScope" IS DISTINCT FROM queue OR "userScope" IS DISTINCT FROM owner);
  UPDATE "ticket_notes" SET "queueScope" = queue, "userScope" = owner
    WHERE "ticketId" = ticket AND ("queueScope" IS DISTINCT FROM queue OR "userScope" IS DISTINCT FROM owner);
  IF EXISTS (SELECT FROM (SELECT "queueScope" FROM "messages" WHERE "ticketId" = ticket
        ORDER BY "createdAt" DESC NULLS LAST, "id" DESC NULLS LAST OFFSET 100 LIMIT 1) older
      WHERE older."queueScope" IS DISTINCT FROM queue AND older."queueScope" IS DISTINCT FROM -1)
    OR EXISTS (SELECT FROM (SELECT "queueScope", "userScope" FROM "ticket_events" WHERE "ticketId" = ticket
        ORDER BY "createdAt" DESC OFFSET 100 LIMIT 1) older
      WHERE older."queueScope" IS DISTINCT FROM -1
        AND (older."queueScope" IS DISTINCT FROM queue OR older."userScope" IS DISTINCT FROM owner)) THEN
    INSERT INTO "jobs" ("companyId", "kind", "payload", "uniqueKey")
      VALUES (company, 'tickets.trim', jsonb_build_object('ticketId', ticket), 'tickets.trim:' || ticket)
      ON CONFLICT DO NOTHING;
  END IF;
END $$;
--> statement-breakpoint
CREATE FUNCTION ticket_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM rescope_ticket(NEW."id", NEW."companyId", NEW."queueId", NEW."userId");
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "tickets_scope" AFTER UPDATE ON "tickets" FOR EACH ROW
  WHEN (OLD."queueId" IS DISTINCT FROM NEW."queueId" OR OLD."userId" IS DISTINCT FROM NEW."userId")
  EXECUTE FUNCTION ticket_moved();
--> statement-breakpoint
-- Who leaves a queue keeps their own tickets in it, and sees them as their user from then on. Older ones than a browser
-- holds are left as they are.
CREATE FUNCTION queue_left() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM rescope_ticket(t."id", t."companyId", t."queueId", t."userId")
    FROM "tickets" t JOIN removed r ON t."userId" = r."userId" AND t."queueId" = r."queueId"
    WHERE t."status" <> 'closed' OR t."updatedAt" >= now() - interval '36 days';
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "user_queues_left" AFTER DELETE ON "user_queues" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION queue_left();
--> statement-breakpoint
-- The list of what is unread: of all that is open it is little.
CREATE INDEX "tickets_unread" ON "tickets" ("companyId", "updatedAt" DESC NULLS LAST, "id" DESC NULLS LAST) WHERE "unreadMessages" > 0;
--> statement-breakpoint
-- A chat repeats the ids of its members, and its messages repeat the chat's, for the same reason. The members are in
-- chat_users; the owner is always one of them, and a chat without any is no more.
CREATE FUNCTION spread_chat_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "chats" c WHERE c."id" IN (SELECT "chatId" FROM changed)
    AND NOT EXISTS (SELECT FROM "chat_users" u WHERE u."chatId" = c."id");
  UPDATE "chats" c
    SET "memberIds" = m."ids",
        "ownerId" = CASE WHEN c."ownerId" = ANY (m."ids") THEN c."ownerId" ELSE m."ids"[1] END
    FROM (
      SELECT "chatId", array_agg("userId" ORDER BY "userId") AS "ids" FROM "chat_users"
      WHERE "chatId" IN (SELECT "chatId" FROM changed) GROUP BY "chatId"
    ) m
    WHERE c."id" = m."chatId";
  UPDATE "chat_messages" x SET "memberIds" = c."memberIds" FROM "chats" c
    WHERE c."id" IN (SELECT "chatId" FROM changed) AND x."chatId" = c."id" AND x."memberIds" <> c."memberIds";
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "chat_users_joined" AFTER INSERT ON "chat_users" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION spread_chat_members();
--> statement-breakpoint
CREATE TRIGGER "chat_users_left" AFTER DELETE ON "chat_users" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION spread_chat_members();
--> statement-breakpoint
CREATE FUNCTION copy_chat_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT "memberIds" INTO NEW."memberIds" FROM "chats" WHERE "id" = NEW."chatId";
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER "chat_messages_members" BEFORE INSERT ON "chat_messages" FOR EACH ROW EXECUTE FUNCTION copy_chat_members();
--> statement-breakpoint
CREATE FUNCTION count_chat_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "chat_users" SET "unreads" = "unreads" + 1
    WHERE "chatId" = NEW."chatId" AND "userId" IS DISTINCT FROM NEW."senderId";
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "chat_messages_unread" AFTER INSERT ON "chat_messages" FOR EACH ROW EXECUTE FUNCTION count_chat_message();
--> statement-breakpoint
-- A flow has at most a thousand nodes. Counted here, because whoever adds some sees only those that they add; all who do
-- have locked the flow.
CREATE FUNCTION limit_flow_nodes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "flow_nodes" WHERE "flowId" IN (SELECT "flowId" FROM added) GROUP BY "flowId" HAVING count(*) > 1000) THEN
    RAISE EXCEPTION 'more than a thousand nodes' USING ERRCODE = 'unique_violation', CONSTRAINT = 'flow_nodes_limit';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "flow_nodes_added" AFTER INSERT ON "flow_nodes" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION limit_flow_nodes();
--> statement-breakpoint
-- Programs that poll skip nothing: each row says which transaction changed it last. A page ends before the oldest that
-- is still running, so that none which commits later lies behind a cursor. Only the API reads the column, so the tables
-- in code do not have it. Of messages it has no index: they are read by ticket, and a tick must stay a cheap update.
CREATE FUNCTION stamp_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."changeId" := pg_current_xact_id();
  RETURN NEW;
END $$;
--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "changeId" xid8;
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "changeId" xid8;
--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "changeId" xid8;
--> statement-breakpoint
ALTER TABLE "queues" ADD COLUMN "changeId" xid8;
--> statement-breakpoint
ALTER TABLE "tags" ADD COLUMN "changeId" xid8;
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "changeId" xid8;
--> statement-breakpoint
ALTER TABLE "whatsapps" ADD COLUMN "changeId" xid8;
--> statement-breakpoint
ALTER TABLE "opt_outs" ADD COLUMN "changeId" xid8;
--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "changeId" xid8;
--> statement-breakpoint
CREATE TRIGGER "tickets_change" BEFORE INSERT OR UPDATE ON "tickets" FOR EACH ROW EXECUTE FUNCTION stamp_change();
--> statement-breakpoint
CREATE TRIGGER "messages_change" BEFORE INSERT OR UPDATE ON "messages" FOR EACH ROW EXECUTE FUNCTION stamp_change();
--> statement-breakpoint
CREATE TRIGGER "contacts_change" BEFORE INSERT OR UPDATE ON "contacts" FOR EACH ROW EXECUTE FUNCTION stamp_change();
--> statement-breakpoint
CREATE TRIGGER "queues_change" BEFORE INSERT OR UPDATE ON "queues" FOR EACH ROW EXECUTE FUNCTION stamp_change();
--> statement-breakpoint
CREATE TRIGGER "tags_change" BEFORE INSERT OR UPDATE ON "tags" FOR EACH ROW EXECUTE FUNCTION stamp_change();
--> statement-breakpoint
CREATE TRIGGER "users_change" BEFORE INSERT OR UPDATE OF "name", "email", "profile", "online" ON "users" FOR EACH ROW EXECUTE FUNCTION stamp_change();
--> statement-breakpoint
CREATE TRIGGER "whatsapps_change" BEFORE INSERT OR UPDATE OF "name", "number", "status", "isDefault" ON "whatsapps" FOR EACH ROW EXECUTE FUNCTION stamp_change();
--> statement-breakpoint
CREATE TRIGGER "opt_outs_change" BEFORE INSERT OR UPDATE ON "opt_outs" FOR EACH ROW EXECUTE FUNCTION stamp_change();
--> statement-breakpoint
CREATE TRIGGER "campaigns_change" BEFORE INSERT OR UPDATE OF "name", "status", "whatsappId", "scheduledAt", "startedAt", "completedAt" ON "campaigns" FOR EACH ROW EXECUTE FUNCTION stamp_change();
--> statement-breakpoint
CREATE INDEX "campaigns_change_id" ON "campaigns" ("companyId", "changeId", "id");
--> statement-breakpoint
CREATE INDEX "opt_outs_change_id" ON "opt_outs" ("companyId", "changeId", "id");
--> statement-breakpoint
CREATE INDEX "tickets_change_id" ON "tickets" ("companyId", "changeId", "id");
--> statement-breakpoint
CREATE INDEX "contacts_change_id" ON "contacts" ("companyId", "changeId", "id");
--> statement-breakpoint
CREATE INDEX "queues_change_id" ON "queues" ("companyId", "changeId", "id");
--> statement-breakpoint
CREATE INDEX "tags_change_id" ON "tags" ("companyId", "changeId", "id");
--> statement-breakpoint
CREATE INDEX "users_change_id" ON "users" ("companyId", "changeId", "id");
--> statement-breakpoint
CREATE INDEX "whatsapps_change_id" ON "whatsapps" ("companyId", "changeId", "id");
--> statement-breakpoint
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
--> statement-breakpoint
-- What a browser holds: the shape server needs the whole row of a change, also as it was before.
ALTER TABLE "companies" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "plans" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "users" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "user_queues" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "queues" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "whatsapps" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "whatsapp_queues" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "contacts" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "tickets" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "ticket_events" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "messages" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "ticket_notes" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "tags" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "settings" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "quick_messages" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "templates" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "schedules" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "drafts" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "saved_filters" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "chats" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "chat_users" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "chat_messages" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "flows" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "flow_nodes" REPLICA IDENTITY FULL;
--> statement-breakpoint
-- Deletes the jobs that are done and takes those that are due: of each rank at most as many as `rooms` has for it, of each
-- lane the first, those of a connection only where it is open. What stands in a lane before a job of a better rank is
-- taken in its stead: it leaves as soon as that job would, and the order within a chat stays.
-- As a function for its settings: jobs are seldom there when Postgres counts the table, so it takes thousands of them for
-- a handful or one for all there are, and would read, probe and sort them all to find the first. What is left to it is
-- one plan, whatever was counted: each step in the order of the index that is for it. The first of a lane is asked for
-- with nulls first, as its index is sorted; the index of the key could else be read instead, past all other lanes. That
-- plan is made once for each connection: made at each call, as our connections have it elsewhere, it took four fifths
-- of the call.
CREATE FUNCTION turn_over_jobs(done bigint[], worker text, connections integer[], lock_for interval, rooms integer[])
RETURNS SETOF "jobs" LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_sort = off
SET enable_bitmapscan = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE room integer;
BEGIN
  DELETE FROM "jobs" WHERE "id" = ANY(done);
  FOR its IN 0..2 LOOP
    room := rooms[its + 1];
    CONTINUE WHEN room <= 0;
    RETURN QUERY
      WITH due AS (
        SELECT head."id" FROM "jobs" j
        CROSS JOIN LATERAL (
          SELECT h."id" FROM "jobs" h
          WHERE h."id" = CASE WHEN j."lane" IS NULL THEN j."id" ELSE (
              SELECT first."id" FROM "jobs" first WHERE first."lane" = j."lane" AND first."failedAt" IS NULL
              ORDER BY first."id" NULLS FIRST LIMIT 1) END
            AND h."failedAt" IS NULL AND h."runAt" <= now()
            -- A connection has one holder at a time: who locked its jobs before it came to us is gone.
            AND (h."lockedUntil" IS NULL OR h."lockedUntil" < now() OR (h."whatsappId" IS NOT NULL AND h."lockedBy" <> worker))
          FOR UPDATE SKIP LOCKED) head
        WHERE j."failedAt" IS NULL AND j."rank" = its AND j."runAt" <= now()
          AND (j."whatsappId" IS NULL OR j."whatsappId" = ANY(connections))
          AND (j."lane" IS NULL OR j."id" = (
            SELECT first."id" FROM "jobs" first WHERE first."lane" = j."lane" AND first."failedAt" IS NULL AND first."rank" <= its
            ORDER BY first."id" NULLS FIRST LIMIT 1))
        ORDER BY j."runAt", j."id" LIMIT room)
      UPDATE "jobs" taken SET "rank" = its, "lockedUntil" = now() + lock_for, "lockedBy" = worker, "attempts" = "attempts" + 1
      WHERE taken."id" = ANY (ARRAY(SELECT due."id" FROM due))
      RETURNING taken.*;
  END LOOP;
END $$;
--> statement-breakpoint
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
--> statement-breakpoint
-- How many messages fall on a day, by class: `cost_days` follows the ledger in the transaction that changes it, whoever
-- does. The ledger's rows go only with their company, which takes the counts along.
CREATE FUNCTION count_costs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "cost_days" AS c ("companyId", "whatsappId", "day", "market", "category", "type", "n")
      SELECT "companyId", "whatsappId", "day", "market", coalesce("category", ''), coalesce("type", ''), count(*)
      FROM becomes WHERE "day" IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 2, 3, 4, 5, 6
      ON CONFLICT ("whatsappId", "day", "market", "category", "type") DO UPDATE SET "n" = c."n" + excluded."n";
  ELSE
    INSERT INTO "cost_days" AS c ("companyId", "whatsappId", "day", "market", "category", "type", "n")
      SELECT "companyId", "whatsappId", "day", "market", coalesce("category", ''), coalesce("type", ''), sum(n)
      FROM (SELECT *, 1 AS n FROM becomes UNION ALL SELECT *, -1 AS n FROM was) both_
      WHERE "day" IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(n) <> 0 ORDER BY 2, 3, 4, 5, 6
      ON CONFLICT ("whatsappId", "day", "market", "category", "type") DO UPDATE SET "n" = c."n" + excluded."n";
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "message_costs_added" AFTER INSERT ON "message_costs" REFERENCING NEW TABLE AS becomes
  FOR EACH STATEMENT EXECUTE FUNCTION count_costs();
--> statement-breakpoint
CREATE TRIGGER "message_costs_changed" AFTER UPDATE ON "message_costs" REFERENCING OLD TABLE AS was NEW TABLE AS becomes
  FOR EACH STATEMENT EXECUTE FUNCTION count_costs();
--> statement-breakpoint
CREATE SCHEMA IF NOT EXISTS drizzle
--> statement-breakpoint
CREATE TABLE drizzle.__drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at bigint)
--> statement-breakpoint
INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('934620c3b7e480309c6874323ef78b9a218966f62a217b05bc655c6e1b2fdc49', 1796004175455)
--> statement-breakpoint
INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('49256ad43c23eaedeefe3be577be4f03b02d022ec49f30792dcea1d0582921e2', 1796004176060)
--> statement-breakpoint
INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('6ee0f22a0f17c4a625767da49ea85390d5101fec34c52340d31d6b4ae31fc46c', 1796004176927)
--> statement-breakpoint
INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('2999607fec1bf285d0329bb107d376eb22e7cb8b7bf3914b0cd408642d40bbb9', 1796004178099)
--> statement-breakpoint
INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('4c29ef83fa29023b8f85a61a5b08524a214355193fbb9884606ccbfa0342eadf', 1796004179410)
--> statement-breakpoint
INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('ccbcc87adbf5e716b959668d61df1006bbe8e68f638cbdb5f4bbd5723e092e16', 1796004180409)
--> statement-breakpoint
INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('447afc87b9701d61802e609783fb2310200af02b73a4288d2358936fa7357703', 1796004181283)
--> statement-breakpoint
INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('0e83f47f902a10bdd9c55ec0eaf51f1e07c13bbb212ea9184fc7a1dd86601889', 1796004182138)
--> statement-breakpoint
INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('145ed0b6955091a26b0d2f248c45e6043244447781cb1e878f663a762d0ae1e2', 1796004183325)
--> statement-breakpoint
INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('eb6c30e1474e1e2ddc8c2ee3fa3611c3e21f9b223ab4d0c531fb5c693975a641', 1796004184345)
--> statement-breakpoint
INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('0c82c029893d150a14370c9656f02504b21c4a2e375fa30a856e1b48d30b38a0', 1796004185321)
--> statement-breakpoint
SET session_replication_role = replica
--> statement-breakpoint
INSERT INTO "announcements" ("id", "priority", "title", "text", "mediaPath", "mediaName", "mediaMime", "mediaSize", "status", "startsAt", "endsAt", "companyIds", "planIds", "profiles", "isVisit", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "priority", "title", "text", "mediaPath", "mediaName", "mediaMime", "mediaSize", "status", "startsAt", "endsAt", "companyIds", "planIds", "profiles", "isVisit", "createdAt", "updatedAt" FROM json_populate_record(NULL::"announcements", '{"id":1,"priority":3,"title":"alfa-secreto","text":"alfa-secreto","mediaPath":null,"mediaName":null,"mediaMime":null,"mediaSize":null,"status":true,"startsAt":null,"endsAt":null,"companyIds":[2],"planIds":[],"profiles":[],"isVisit":false,"createdAt":"2026-11-30T02:35:48.373803+00:00","updatedAt":"2026-11-30T02:35:48.373803+00:00"}')
--> statement-breakpoint
INSERT INTO "api_keys" ("id", "companyId", "name", "prefix", "hash", "scopes", "ipAllow", "ratePerMinute", "expiresAt", "lastUsedAt", "lastIp", "revokedAt", "createdBy", "createdAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "prefix", "hash", "scopes", "ipAllow", "ratePerMinute", "expiresAt", "lastUsedAt", "lastIp", "revokedAt", "createdBy", "createdAt" FROM json_populate_record(NULL::"api_keys", '{"id":1,"companyId":2,"name":"alfa-secreto key","prefix":"bk_GXhEnRVu","hash":"79bfc67ab1df203c86aea36055e1513d325cee842eecf61f3771f3d7bfb5e1c8","scopes":["messages:send","messages:read","tickets:read","tickets:write","contacts:read","contacts:write","campaigns:read","campaigns:send","reports:read","connections:write","webhooks:write"],"ipAllow":[],"ratePerMinute":60000,"expiresAt":null,"lastUsedAt":null,"lastIp":null,"revokedAt":null,"createdBy":1,"createdAt":"2026-11-30T02:35:48.071+00:00"}')
--> statement-breakpoint
INSERT INTO "api_keys" ("id", "companyId", "name", "prefix", "hash", "scopes", "ipAllow", "ratePerMinute", "expiresAt", "lastUsedAt", "lastIp", "revokedAt", "createdBy", "createdAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "prefix", "hash", "scopes", "ipAllow", "ratePerMinute", "expiresAt", "lastUsedAt", "lastIp", "revokedAt", "createdBy", "createdAt" FROM json_populate_record(NULL::"api_keys", '{"id":2,"companyId":3,"name":"other key","prefix":"bk_jlBW0ANg","hash":"609f44cbca79538407cb0e95f8e6d4ae670226aae9c658d06dc64b3ac43ef894","scopes":["messages:send","messages:read","tickets:read","tickets:write","contacts:read","contacts:write","campaigns:read","campaigns:send","reports:read","connections:write","webhooks:write"],"ipAllow":[],"ratePerMinute":60000,"expiresAt":null,"lastUsedAt":null,"lastIp":null,"revokedAt":null,"createdBy":3,"createdAt":"2026-11-30T02:35:48.071+00:00"}')
--> statement-breakpoint
INSERT INTO "audit_anchors" ("companyId", "seq", "seal") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "seal" FROM json_populate_record(NULL::"audit_anchors", '{"companyId":0,"seq":0,"seal":"AZRRi3ooyRrZC6zT2LNLfOuGDXfkf5AxXU8XRtXP7w=="}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":1,"seq":1,"at":"2026-11-30T02:35:48.197314+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"company","entityId":"1","before":null,"after":{"name": "Company xomiw 2", "email": "", "phone": "", "planId": 1, "status": true, "dueDate": "2099-12-31", "holidays": [], "language": "pt", "timeZone": "America/Sao_Paulo", "schedules": [], "recurrence": "MENSAL", "callingCode": "55"},"ip":null,"prevHash":"","hash":"b0a42c5c530a48b7f0bda31c3207e5d084769bda43c8322084f1cf1264c40a60"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":1,"seq":2,"at":"2026-11-30T02:35:48.201067+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"plan","entityId":"2","before":null,"after":{"name": "Plan xomiw 3", "users": 10, "value": 0.00, "queues": 10, "useKanban": true, "useOpenAi": true, "connections": 10, "useInternal": true, "useCampaigns": true, "useSchedules": true, "useExternalApi": true, "useIntegrations": true, "useInternalChat": true},"ip":null,"prevHash":"b0a42c5c530a48b7f0bda31c3207e5d084769bda43c8322084f1cf1264c40a60","hash":"c13a88d9e66800c19998aa714f27e7ea962d580b78ab937fd7b679a26b73a3ea"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":1,"seq":3,"at":"2026-11-30T02:35:48.202907+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"company","entityId":"2","before":null,"after":{"name": "alfa-secreto company", "email": "", "phone": "", "planId": 2, "status": true, "dueDate": "2099-12-31", "holidays": [], "language": "pt", "timeZone": "America/Sao_Paulo", "schedules": [], "recurrence": "MENSAL", "callingCode": "55"},"ip":null,"prevHash":"c13a88d9e66800c19998aa714f27e7ea962d580b78ab937fd7b679a26b73a3ea","hash":"c2e86cbec8cae37067971c7eb47b47ad1b1cd04409f82cefc791747852ded403"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":1,"seq":4,"at":"2026-11-30T02:35:48.372966+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"paymentAccount","entityId":"1","before":null,"after":{"config": {"pixKey": "caixa@example.test", "pixCity": "Recife", "pixName": "Operador", "efiBaseUrl": "", "efiClientId": "", "asaasBaseUrl": ""}, "secrets": "••••••", "provider": "pix"},"ip":null,"prevHash":"c2e86cbec8cae37067971c7eb47b47ad1b1cd04409f82cefc791747852ded403","hash":"40ba2e27d101e1f5aad342437a6bfb8146c92302eb59eaa0e54af0d81d0f03f0"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":1,"seq":5,"at":"2026-11-30T02:35:48.375764+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"announcement","entityId":"1","before":null,"after":{"text": "alfa-secreto", "title": "alfa-secreto", "endsAt": null, "status": true, "planIds": [], "priority": 3, "profiles": [], "startsAt": null, "mediaName": null, "companyIds": [2]},"ip":null,"prevHash":"40ba2e27d101e1f5aad342437a6bfb8146c92302eb59eaa0e54af0d81d0f03f0","hash":"6ea54b756c2ce7426e6394bf7f120d1397c673ba009a5af40c7ac50952e8d764"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":1,"seq":6,"at":"2026-11-30T02:35:48.378326+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"plan","entityId":"3","before":null,"after":{"name": "Plan xomiw 13", "users": 10, "value": 0.00, "queues": 10, "useKanban": true, "useOpenAi": true, "connections": 10, "useInternal": true, "useCampaigns": true, "useSchedules": true, "useExternalApi": true, "useIntegrations": true, "useInternalChat": true},"ip":null,"prevHash":"6ea54b756c2ce7426e6394bf7f120d1397c673ba009a5af40c7ac50952e8d764","hash":"b144a598de47dad305e246b540e5dd1534f9dd758196d0a87fe04c874e06b0f5"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":1,"seq":7,"at":"2026-11-30T02:35:48.379802+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"company","entityId":"3","before":null,"after":{"name": "Company xomiw 14", "email": "", "phone": "", "planId": 3, "status": true, "dueDate": "2099-12-31", "holidays": [], "language": "pt", "timeZone": "America/Sao_Paulo", "schedules": [], "recurrence": "MENSAL", "callingCode": "55"},"ip":null,"prevHash":"b144a598de47dad305e246b540e5dd1534f9dd758196d0a87fe04c874e06b0f5","hash":"97c74c216abfffd43a01033e02a2936d4e1a314f5c9a7b7eab7abfc6c45f60ae"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":1,"at":"2026-11-30T02:35:48.206336+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"queue","entityId":"1","before":null,"after":{"name": "alfa-secreto queue", "color": "#000005", "promptId": null, "mediaName": null, "schedules": [], "orderQueue": null, "integrationId": null, "greetingMessage": "alfa-secreto", "outOfHoursMessage": ""},"ip":null,"prevHash":"","hash":"5136aaba463da5d455b0caf038d49959b18e74d79c25116dee1a8517da4455e3"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":10,"at":"2026-11-30T02:35:48.263237+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"role","entityId":"1","before":null,"after":{"name": "alfa-secreto", "maskNumbers": false, "permissions": [], "ticketScope": "queues"},"ip":null,"prevHash":"8a2d08e1652acf3ca5659842b3f135aac0c3fb90213c9a95c370689e7c5cc4ba","hash":"69143e339f9365e31c9720389c54106880b8ff3a5363698d79d721fc491b4ffd"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":11,"at":"2026-11-30T02:35:48.269233+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"template","entityId":"1","before":null,"after":{"name": "alfa-secreto", "reason": null, "status": "APPROVED", "category": "UTILITY", "language": "pt_BR", "confirmedCategory": "UTILITY"},"ip":null,"prevHash":"69143e339f9365e31c9720389c54106880b8ff3a5363698d79d721fc491b4ffd","hash":"a64623529289efab1e8822a3f83112300ebea004e9c07bbb596b9c40a6f9e959"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":12,"at":"2026-11-30T02:35:48.27345+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"setting","entityId":"userRating","before":null,"after":{"key": "userRating", "value": "enabled"},"ip":null,"prevHash":"a64623529289efab1e8822a3f83112300ebea004e9c07bbb596b9c40a6f9e959","hash":"375e97558aa9cbc1ecec14cb980b3d7de31e9ae9cfdde02ea788919bfe12f949"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":13,"at":"2026-11-30T02:35:48.282937+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"flow","entityId":"1","before":null,"after":{"name": "alfa-secreto", "active": true, "versionId": null},"ip":null,"prevHash":"375e97558aa9cbc1ecec14cb980b3d7de31e9ae9cfdde02ea788919bfe12f949","hash":"48f698267dc464c4069c0ce92ed71341a95b36d3ab30dc33ca876ee900eaaf98"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":14,"at":"2026-11-30T02:35:48.294517+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"publish","entity":"flow","entityId":"1","before":{"versionId": null},"after":{"versionId": 1},"ip":null,"prevHash":"48f698267dc464c4069c0ce92ed71341a95b36d3ab30dc33ca876ee900eaaf98","hash":"caa0181efe3e12ffc8a12acbfafe154cea893298a7ff85350325484706707fc9"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":15,"at":"2026-11-30T02:35:48.297588+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"phrase","entityId":"1","before":null,"after":{"name": "alfa-secreto", "flowId": 1, "phrase": "alfa-secreto", "status": true, "whatsappId": null},"ip":null,"prevHash":"caa0181efe3e12ffc8a12acbfafe154cea893298a7ff85350325484706707fc9","hash":"83dcf8e6c9ac18e0754e5c664176be9501f5bc36acac998259da1d90d2eedeaf"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":16,"at":"2026-11-30T02:35:48.299895+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"flowDefaults","entityId":"2","before":null,"after":{"flowIdWelcome": 1, "flowIdNotPhrase": null},"ip":null,"prevHash":"83dcf8e6c9ac18e0754e5c664176be9501f5bc36acac998259da1d90d2eedeaf","hash":"299225e386d682a959debb6f4de6f7793fc006a0675cd2b19131100b0fa33286"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":17,"at":"2026-11-30T02:35:48.303379+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"flowSecret","entityId":"1","before":null,"after":{"name": "key", "hosts": [], "value": "••••••"},"ip":null,"prevHash":"299225e386d682a959debb6f4de6f7793fc006a0675cd2b19131100b0fa33286","hash":"b6ca77f9afd3fc30e43cedc90b17adae4c6a572d4461d1ec0e0e9f0c16129aa1"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":18,"at":"2026-11-30T02:35:48.306764+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"prompt","entityId":"1","before":null,"after":{"name": "alfa-secreto prompt", "model": "", "voice": "texto", "apiKey": "", "prompt": "alfa-secretoalfa-secretoalfa-secretoalfa-secretoalfa-secreto", "baseUrl": "http://127.0.0.1:1", "queueId": 1, "voiceKey": "", "maxTokens": 100, "maxMessages": 10, "temperature": 1, "voiceRegion": "", "transcriptionModel": ""},"ip":null,"prevHash":"b6ca77f9afd3fc30e43cedc90b17adae4c6a572d4461d1ec0e0e9f0c16129aa1","hash":"f8780eb677f50c86e30179079c4d82c3599f7f335053e4a3ce36dbb06f84646a"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":19,"at":"2026-11-30T02:35:48.308596+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"update","entity":"prompt","entityId":"1","before":{"apiKey": ""},"after":{"apiKey": "••••••"},"ip":null,"prevHash":"f8780eb677f50c86e30179079c4d82c3599f7f335053e4a3ce36dbb06f84646a","hash":"a4e1f2dc191c28aca287374429d49e3b06c5f2ac22c99ee95066b74247b4868f"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":2,"at":"2026-11-30T02:35:48.211437+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"connection","entityId":"1","before":null,"after":{"name": "alfa-secreto connection", "token": "••••••", "number": "", "wanted": false, "promptId": null, "provider": "beta", "queueIds": [], "isDefault": true, "schedules": [], "expiresTicket": 0, "integrationId": null, "ratingMessage": "", "timeToTransfer": 0, "greetingMessage": "", "maxUseBotQueues": 3, "transferQueueId": null, "timeUseBotQueues": 0, "completionMessage": "", "outOfHoursMessage": "", "expiresInactiveMessage": ""},"ip":null,"prevHash":"5136aaba463da5d455b0caf038d49959b18e74d79c25116dee1a8517da4455e3","hash":"407704678bedfeef75447780c45803fbebb4691d5caa47a9a6c0d0b3e4d2ee8c"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":20,"at":"2026-11-30T02:35:48.311397+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"integration","entityId":"1","before":null,"after":{"name": "alfa-secreto bot", "type": "typebot", "flowId": null, "secret": "", "urlN8N": "http://127.0.0.1:1", "options": {}, "language": "", "jsonContent": "", "projectName": "", "typebotSlug": "alfa-secreto", "typebotExpires": 1, "typebotDelayMessage": 1000, "typebotKeywordFinish": "", "typebotKeywordRestart": "", "typebotRestartMessage": "", "typebotUnknownMessage": ""},"ip":null,"prevHash":"a4e1f2dc191c28aca287374429d49e3b06c5f2ac22c99ee95066b74247b4868f","hash":"db9b5c8eb48c6ad46beeb4e3396140f8c2b8e45d7efaf86596d895cb5d846500"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":21,"at":"2026-11-30T02:35:48.320856+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"apiKey","entityId":"1","before":null,"after":{"hash": "••••••", "name": "alfa-secreto key", "prefix": "bk_GXhEnRVu", "scopes": ["messages:send", "messages:read", "tickets:read", "tickets:write", "contacts:read", "contacts:write", "campaigns:read", "campaigns:send", "reports:read", "connections:write", "webhooks:write"], "ipAllow": [], "expiresAt": null, "revokedAt": null, "ratePerMinute": 60000},"ip":null,"prevHash":"db9b5c8eb48c6ad46beeb4e3396140f8c2b8e45d7efaf86596d895cb5d846500","hash":"94c1ff99b3c0b308ab6f97353a9dca209632096791ae69950d92c8588cbb07e2"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":22,"at":"2026-11-30T02:35:48.326035+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"webhook","entityId":"1","before":null,"after":{"url": "https://alfasecreto.invalid/alfa-secreto", "active": false, "events": ["ticket.rated"], "secret": "", "queueIds": [], "disabledReason": null},"ip":null,"prevHash":"94c1ff99b3c0b308ab6f97353a9dca209632096791ae69950d92c8588cbb07e2","hash":"76f62dfdfb7e493692990687fab873effeb81b2d6ad78de2f18c799f84b1c7a6"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":23,"at":"2026-11-30T02:35:48.32643+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"update","entity":"webhook","entityId":"1","before":{"secret": ""},"after":{"secret": "••••••"},"ip":null,"prevHash":"76f62dfdfb7e493692990687fab873effeb81b2d6ad78de2f18c799f84b1c7a6","hash":"0a0aa0ead2cd0be8c4da9e47ce604d708080c03e57c6cabd9e715fa141c2326f"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":24,"at":"2026-11-30T02:35:48.332741+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"queueOption","entityId":"1","before":null,"after":{"title": "alfa-secreto", "option": 1, "message": "alfa-secreto", "queueId": 1, "parentId": null, "mediaName": "a.pdf"},"ip":null,"prevHash":"0a0aa0ead2cd0be8c4da9e47ce604d708080c03e57c6cabd9e715fa141c2326f","hash":"18a290ac34b3d7820f59bb57ebf4fb2fb09c9822a26a4320df368d3eac62f2f6"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":25,"at":"2026-11-30T02:35:48.337309+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"contactList","entityId":"1","before":null,"after":{"name": "alfa-secreto"},"ip":null,"prevHash":"18a290ac34b3d7820f59bb57ebf4fb2fb09c9822a26a4320df368d3eac62f2f6","hash":"645e835dfef846dfecf5353249063a6b7635b87936f4ebd57c435666dec592e7"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":26,"at":"2026-11-30T02:35:48.344265+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"campaign","entityId":"1","before":null,"after":{"name": "alfa-secreto", "status": "INATIVA", "weights": [1, 1, 1, 1, 1], "message1": "alfa-secreto", "message2": null, "message3": null, "message4": null, "message5": null, "bulkGuard": false, "mediaName": null, "tagListId": null, "fileListId": null, "segmentIds": [], "templateId": null, "whatsappId": null, "pauseReason": null, "scheduledAt": null, "confirmation": false, "replyQueueId": null, "contactListId": null, "answersOpenTickets": false, "confirmationMessage1": null, "confirmationMessage2": null, "confirmationMessage3": null, "confirmationMessage4": null, "confirmationMessage5": null},"ip":null,"prevHash":"645e835dfef846dfecf5353249063a6b7635b87936f4ebd57c435666dec592e7","hash":"c2e64c8867b933e90c6b941e14b256dcbb60a8ba90d3e1e95c159971c5108709"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":27,"at":"2026-11-30T02:35:48.355904+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"segment","entityId":"1","before":null,"after":{"name": "alfa-secreto", "match": "all", "rules": [{"kind": "field", "name": "alfa-secreto", "value": "alfa-secreto"}]},"ip":null,"prevHash":"c2e64c8867b933e90c6b941e14b256dcbb60a8ba90d3e1e95c159971c5108709","hash":"512803c4779647e6d4be84dc4dd0678cb4a97c79b0ce41da44e98d274699b286"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":28,"at":"2026-11-30T02:35:48.360117+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"campaignSetting","entityId":"optOutReply","before":null,"after":{"key": "optOutReply", "value": "alfa-secreto"},"ip":null,"prevHash":"512803c4779647e6d4be84dc4dd0678cb4a97c79b0ce41da44e98d274699b286","hash":"1c4f60e76be6679dce05a54a417c07b787f15b8975805a249bf27203ab63c2e7"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":29,"at":"2026-11-30T02:35:48.36568+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"fileList","entityId":"1","before":null,"after":{"name": "alfa-secreto", "message": "alfa-secreto"},"ip":null,"prevHash":"1c4f60e76be6679dce05a54a417c07b787f15b8975805a249bf27203ab63c2e7","hash":"95b81cb763eb5901d0d2db00cbb94d9ad0af9c1e6d29b57589f63d0e8b118cf7"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":3,"at":"2026-11-30T02:35:48.213852+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"update","entity":"connection","entityId":"1","before":{"queueId": null},"after":{"queueId": 1},"ip":null,"prevHash":"407704678bedfeef75447780c45803fbebb4691d5caa47a9a6c0d0b3e4d2ee8c","hash":"4859c8ca1ae735b636463efa57c803aafc32a12766aba9151053edcca6816645"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":4,"at":"2026-11-30T02:35:48.217985+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"user","entityId":"1","before":null,"after":{"name": "alfa-secreto user", "email": "alfa-secreto@example.test", "super": false, "roleId": null, "profile": "admin", "queueIds": [], "allTicket": false, "whatsappId": null, "passwordHash": "••••••"},"ip":null,"prevHash":"4859c8ca1ae735b636463efa57c803aafc32a12766aba9151053edcca6816645","hash":"442e604508718806074106d75b1c0460602bd75acf130a1e9904e586bc7d74b3"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":5,"at":"2026-11-30T02:35:48.21992+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"update","entity":"user","entityId":"1","before":{"queueId": null},"after":{"queueId": 1},"ip":null,"prevHash":"442e604508718806074106d75b1c0460602bd75acf130a1e9904e586bc7d74b3","hash":"51b65868fb599cc5224fbe6b41a71fa898f01eca05ac6d7b4e7ac45524cf09b4"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":6,"at":"2026-11-30T02:35:48.221635+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"user","entityId":"2","before":null,"after":{"name": "alfa-secreto agent", "email": "user-xomiw-8@example.com", "super": false, "roleId": null, "profile": "user", "queueIds": [], "allTicket": false, "whatsappId": null, "passwordHash": "••••••"},"ip":null,"prevHash":"51b65868fb599cc5224fbe6b41a71fa898f01eca05ac6d7b4e7ac45524cf09b4","hash":"6cf80f67498dbb1458167b2841ea3a5bc98051ee626e1d5c27646b6e30f4b516"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":7,"at":"2026-11-30T02:35:48.226977+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"tag","entityId":"1","before":null,"after":{"name": "alfa-secreto tag", "color": "#123456", "kanban": 0, "laneLimit": null, "laneOrder": null},"ip":null,"prevHash":"6cf80f67498dbb1458167b2841ea3a5bc98051ee626e1d5c27646b6e30f4b516","hash":"3c0686a2674d3f3c6a4dfc3242bc1b25230a38a5bfee726902f78a02340d1ad6"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":8,"at":"2026-11-30T02:35:48.253738+00:00","actorKind":"user","actorId":1,"actorName":"alfa-secreto user","operator":null,"action":"login","entity":"session","entityId":"1","before":null,"after":{"userId": 1, "userAgent": null},"ip":null,"prevHash":"3c0686a2674d3f3c6a4dfc3242bc1b25230a38a5bfee726902f78a02340d1ad6","hash":"4a6fe51b11fc5494b49d939525c442c0726f079360ad14994be8a7d54e75260e"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":2,"seq":9,"at":"2026-11-30T02:35:48.257276+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"passkey","entityId":"1","before":null,"after":{"name": "alfa-secreto", "userId": 1},"ip":null,"prevHash":"4a6fe51b11fc5494b49d939525c442c0726f079360ad14994be8a7d54e75260e","hash":"8a2d08e1652acf3ca5659842b3f135aac0c3fb90213c9a95c370689e7c5cc4ba"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":3,"seq":1,"at":"2026-11-30T02:35:48.384426+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"user","entityId":"3","before":null,"after":{"name": "User 15", "email": "user-xomiw-15@example.com", "super": false, "roleId": null, "profile": "admin", "queueIds": [], "allTicket": true, "whatsappId": null, "passwordHash": "••••••"},"ip":null,"prevHash":"","hash":"997fe5a75e5f2acf054fc4e081b1d3367f0e3c821a663190a0410b309a23d653"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":3,"seq":10,"at":"2026-11-30T02:35:48.419137+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"update","entity":"prompt","entityId":"2","before":{"apiKey": ""},"after":{"apiKey": "••••••"},"ip":null,"prevHash":"0065577faade59bd472a8220b36529c516bebc9b2f1a7e6d0294e57d3094284f","hash":"b7a6a28d3830ea661263672802b1ae95e1d495bcb31ef57aa0fcbdcbb58b5e3f"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":3,"seq":11,"at":"2026-11-30T02:35:48.421407+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"integration","entityId":"2","before":null,"after":{"name": "other bot", "type": "typebot", "flowId": null, "secret": "", "urlN8N": "http://127.0.0.1:1", "options": {}, "language": "", "jsonContent": "", "projectName": "", "typebotSlug": "other", "typebotExpires": 1, "typebotDelayMessage": 1000, "typebotKeywordFinish": "", "typebotKeywordRestart": "", "typebotRestartMessage": "", "typebotUnknownMessage": ""},"ip":null,"prevHash":"b7a6a28d3830ea661263672802b1ae95e1d495bcb31ef57aa0fcbdcbb58b5e3f","hash":"8303938cc274a3277c85b4ae796253cac8bd8def16935cd01b1d761b1319e5e4"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":3,"seq":12,"at":"2026-11-30T02:35:48.426332+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"apiKey","entityId":"2","before":null,"after":{"hash": "••••••", "name": "other key", "prefix": "bk_jlBW0ANg", "scopes": ["messages:send", "messages:read", "tickets:read", "tickets:write", "contacts:read", "contacts:write", "campaigns:read", "campaigns:send", "reports:read", "connections:write", "webhooks:write"], "ipAllow": [], "expiresAt": null, "revokedAt": null, "ratePerMinute": 60000},"ip":null,"prevHash":"8303938cc274a3277c85b4ae796253cac8bd8def16935cd01b1d761b1319e5e4","hash":"203aff55a3711d9bc01cd10654f62ddd783fd82832689960757ee060c55a2a99"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":3,"seq":13,"at":"2026-11-30T02:35:48.428888+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"webhook","entityId":"2","before":null,"after":{"url": "https://other.invalid/other", "active": false, "events": ["ticket.rated"], "secret": "", "queueIds": [], "disabledReason": null},"ip":null,"prevHash":"203aff55a3711d9bc01cd10654f62ddd783fd82832689960757ee060c55a2a99","hash":"1de25637191a1db1b13ca9bdc19db9ff2326ca38ed93ae3dbff1c8a296f197b0"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":3,"seq":14,"at":"2026-11-30T02:35:48.429044+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"update","entity":"webhook","entityId":"2","before":{"secret": ""},"after":{"secret": "••••••"},"ip":null,"prevHash":"1de25637191a1db1b13ca9bdc19db9ff2326ca38ed93ae3dbff1c8a296f197b0","hash":"2f6c3b11029772843756c87758d4abb54404fb0ab5d5b52e8f8766228598f85d"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":3,"seq":15,"at":"2026-11-30T02:35:48.432392+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"queueOption","entityId":"2","before":null,"after":{"title": "other", "option": 1, "message": "other", "queueId": 2, "parentId": null, "mediaName": "a.pdf"},"ip":null,"prevHash":"2f6c3b11029772843756c87758d4abb54404fb0ab5d5b52e8f8766228598f85d","hash":"a8c5f733aa2a85abb519df11916ccc3022bf1b5b47db68ac65ec4a5a60c67cc1"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":3,"seq":16,"at":"2026-11-30T02:35:48.533868+00:00","actorKind":"user","actorId":3,"actorName":"User 15","operator":null,"action":"login","entity":"session","entityId":"2","before":null,"after":{"userId": 3, "userAgent": null},"ip":null,"prevHash":"a8c5f733aa2a85abb519df11916ccc3022bf1b5b47db68ac65ec4a5a60c67cc1","hash":"1799a64544b29352040f08f53778d0d89ad2fe13624e287a38b0190340dbe1eb"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":3,"seq":2,"at":"2026-11-30T02:35:48.38691+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"queue","entityId":"2","before":null,"after":{"name": "Queue 16", "color": "#000010", "promptId": null, "mediaName": null, "schedules": [], "orderQueue": null, "integrationId": null, "greetingMessage": "", "outOfHoursMessage": ""},"ip":null,"prevHash":"997fe5a75e5f2acf054fc4e081b1d3367f0e3c821a663190a0410b309a23d653","hash":"56860cf7686b6c4051e1213eed475b45d69d08ad207aa80f8f4a20b8e9d4a529"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":3,"seq":3,"at":"2026-11-30T02:35:48.390222+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"connection","entityId":"2","before":null,"after":{"name": "Connection 17", "token": "••••••", "number": "", "wanted": false, "promptId": null, "provider": "beta", "queueIds": [], "isDefault": true, "schedules": [], "expiresTicket": 0, "integrationId": null, "ratingMessage": "", "timeToTransfer": 0, "greetingMessage": "", "maxUseBotQueues": 3, "transferQueueId": null, "timeUseBotQueues": 0, "completionMessage": "", "outOfHoursMessage": "", "expiresInactiveMessage": ""},"ip":null,"prevHash":"56860cf7686b6c4051e1213eed475b45d69d08ad207aa80f8f4a20b8e9d4a529","hash":"64cfb6f421f6420bc0e1aa67da0255000586868fe0830024eb299513342cd9ab"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":3,"seq":4,"at":"2026-11-30T02:35:48.403695+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"flow","entityId":"2","before":null,"after":{"name": "other flow", "active": true, "versionId": null},"ip":null,"prevHash":"64cfb6f421f6420bc0e1aa67da0255000586868fe0830024eb299513342cd9ab","hash":"02530818a502782a60fe8bf5de2b72e0713d24085268cf1271d94e1e17f8e88f"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":3,"seq":5,"at":"2026-11-30T02:35:48.411401+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"publish","entity":"flow","entityId":"2","before":{"versionId": null},"after":{"versionId": 2},"ip":null,"prevHash":"02530818a502782a60fe8bf5de2b72e0713d24085268cf1271d94e1e17f8e88f","hash":"68343a58b6ec2ba8cf24d04e34f0e8027c27bd55b814b2d84142706cf059b770"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":3,"seq":6,"at":"2026-11-30T02:35:48.412687+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"phrase","entityId":"2","before":null,"after":{"name": "other flow", "flowId": 2, "phrase": "other flow", "status": true, "whatsappId": null},"ip":null,"prevHash":"68343a58b6ec2ba8cf24d04e34f0e8027c27bd55b814b2d84142706cf059b770","hash":"cccde334c3d28fe3390e11fc8afcf4d725a7865f577ba5754a039fa6ad61ee5b"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":3,"seq":7,"at":"2026-11-30T02:35:48.414741+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"flowDefaults","entityId":"3","before":null,"after":{"flowIdWelcome": 2, "flowIdNotPhrase": null},"ip":null,"prevHash":"cccde334c3d28fe3390e11fc8afcf4d725a7865f577ba5754a039fa6ad61ee5b","hash":"b433432cdcd9d4ee057a3a8075b2497f44e93118ffe74cd08d3095fbf75933c0"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":3,"seq":8,"at":"2026-11-30T02:35:48.41587+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"flowSecret","entityId":"2","before":null,"after":{"name": "key", "hosts": [], "value": "••••••"},"ip":null,"prevHash":"b433432cdcd9d4ee057a3a8075b2497f44e93118ffe74cd08d3095fbf75933c0","hash":"bf075fb71a507f071475f294796ec2211399136d72b55ab119e32d0923cc7f24"}')
--> statement-breakpoint
INSERT INTO "audit_entries" ("companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "at", "actorKind", "actorId", "actorName", "operator", "action", "entity", "entityId", "before", "after", "ip", "prevHash", "hash" FROM json_populate_record(NULL::"audit_entries", '{"companyId":3,"seq":9,"at":"2026-11-30T02:35:48.418217+00:00","actorKind":"system","actorId":null,"actorName":null,"operator":null,"action":"create","entity":"prompt","entityId":"2","before":null,"after":{"name": "other prompt", "model": "", "voice": "texto", "apiKey": "", "prompt": "otherotherotherotherother", "baseUrl": "http://127.0.0.1:1", "queueId": 2, "voiceKey": "", "maxTokens": 100, "maxMessages": 10, "temperature": 1, "voiceRegion": "", "transcriptionModel": ""},"ip":null,"prevHash":"bf075fb71a507f071475f294796ec2211399136d72b55ab119e32d0923cc7f24","hash":"0065577faade59bd472a8220b36529c516bebc9b2f1a7e6d0294e57d3094284f"}')
--> statement-breakpoint
INSERT INTO "audit_heads" ("companyId", "seq", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "hash" FROM json_populate_record(NULL::"audit_heads", '{"companyId":1,"seq":7,"hash":"97c74c216abfffd43a01033e02a2936d4e1a314f5c9a7b7eab7abfc6c45f60ae"}')
--> statement-breakpoint
INSERT INTO "audit_heads" ("companyId", "seq", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "hash" FROM json_populate_record(NULL::"audit_heads", '{"companyId":2,"seq":29,"hash":"95b81cb763eb5901d0d2db00cbb94d9ad0af9c1e6d29b57589f63d0e8b118cf7"}')
--> statement-breakpoint
INSERT INTO "audit_heads" ("companyId", "seq", "hash") OVERRIDING SYSTEM VALUE SELECT "companyId", "seq", "hash" FROM json_populate_record(NULL::"audit_heads", '{"companyId":3,"seq":16,"hash":"1799a64544b29352040f08f53778d0d89ad2fe13624e287a38b0190340dbe1eb"}')
--> statement-breakpoint
INSERT INTO "campaign_settings" ("companyId", "key", "value", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "companyId", "key", "value", "updatedAt" FROM json_populate_record(NULL::"campaign_settings", '{"companyId":2,"key":"optOutReply","value":"alfa-secreto","updatedAt":"2026-11-30T02:35:48.35666+00:00"}')
--> statement-breakpoint
INSERT INTO "campaigns" ("id", "companyId", "name", "status", "confirmation", "answersOpenTickets", "message1", "message2", "message3", "message4", "message5", "confirmationMessage1", "confirmationMessage2", "confirmationMessage3", "confirmationMessage4", "confirmationMessage5", "weights", "seed", "whatsappId", "contactListId", "tagListId", "segmentIds", "fileListId", "templateId", "templateValues", "replyQueueId", "bulkGuard", "scheduledAt", "startedAt", "completedAt", "pauseReason", "plannedAt", "planCursor", "duplicates", "sends", "userId", "mediaPath", "mediaName", "mediaMime", "mediaSize", "createdAt", "updatedAt", "changeId") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "status", "confirmation", "answersOpenTickets", "message1", "message2", "message3", "message4", "message5", "confirmationMessage1", "confirmationMessage2", "confirmationMessage3", "confirmationMessage4", "confirmationMessage5", "weights", "seed", "whatsappId", "contactListId", "tagListId", "segmentIds", "fileListId", "templateId", "templateValues", "replyQueueId", "bulkGuard", "scheduledAt", "startedAt", "completedAt", "pauseReason", "plannedAt", "planCursor", "duplicates", "sends", "userId", "mediaPath", "mediaName", "mediaMime", "mediaSize", "createdAt", "updatedAt", "changeId" FROM json_populate_record(NULL::"campaigns", '{"id":1,"companyId":2,"name":"alfa-secreto","status":"INATIVA","confirmation":false,"answersOpenTickets":false,"message1":"alfa-secreto","message2":null,"message3":null,"message4":null,"message5":null,"confirmationMessage1":null,"confirmationMessage2":null,"confirmationMessage3":null,"confirmationMessage4":null,"confirmationMessage5":null,"weights":[1,1,1,1,1],"seed":1,"whatsappId":null,"contactListId":null,"tagListId":null,"segmentIds":[],"fileListId":null,"templateId":null,"templateValues":{},"replyQueueId":null,"bulkGuard":false,"scheduledAt":null,"startedAt":null,"completedAt":null,"pauseReason":null,"plannedAt":null,"planCursor":null,"duplicates":0,"sends":0,"userId":null,"mediaPath":null,"mediaName":null,"mediaMime":null,"mediaSize":null,"createdAt":"2026-11-30T02:35:48.34079+00:00","updatedAt":"2026-11-30T02:35:48.34079+00:00","changeId":"815"}')
--> statement-breakpoint
INSERT INTO "chat_messages" ("id", "companyId", "chatId", "senderId", "message", "memberIds", "createdAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "chatId", "senderId", "message", "memberIds", "createdAt" FROM json_populate_record(NULL::"chat_messages", '{"id":"01a22a4e-f8b6-70a7-b5c5-1fbe8f7ea168","companyId":2,"chatId":1,"senderId":1,"message":"alfa-secreto","memberIds":[1,2],"createdAt":"2026-11-30T02:35:48.27891+00:00"}')
--> statement-breakpoint
INSERT INTO "chat_messages" ("id", "companyId", "chatId", "senderId", "message", "memberIds", "createdAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "chatId", "senderId", "message", "memberIds", "createdAt" FROM json_populate_record(NULL::"chat_messages", '{"id":"01a22a4e-f930-70cf-a099-1d2b7d85795f","companyId":3,"chatId":2,"senderId":3,"message":"notes to myself","memberIds":[3],"createdAt":"2026-11-30T02:35:48.401247+00:00"}')
--> statement-breakpoint
INSERT INTO "chat_users" ("id", "companyId", "chatId", "userId", "unreads", "readAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "chatId", "userId", "unreads", "readAt" FROM json_populate_record(NULL::"chat_users", '{"id":"1:1","companyId":2,"chatId":1,"userId":1,"unreads":0,"readAt":null}')
--> statement-breakpoint
INSERT INTO "chat_users" ("id", "companyId", "chatId", "userId", "unreads", "readAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "chatId", "userId", "unreads", "readAt" FROM json_populate_record(NULL::"chat_users", '{"id":"1:2","companyId":2,"chatId":1,"userId":2,"unreads":1,"readAt":null}')
--> statement-breakpoint
INSERT INTO "chat_users" ("id", "companyId", "chatId", "userId", "unreads", "readAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "chatId", "userId", "unreads", "readAt" FROM json_populate_record(NULL::"chat_users", '{"id":"2:3","companyId":3,"chatId":2,"userId":3,"unreads":0,"readAt":null}')
--> statement-breakpoint
INSERT INTO "chats" ("id", "uuid", "companyId", "title", "ownerId", "memberIds", "lastMessage", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "uuid", "companyId", "title", "ownerId", "memberIds", "lastMessage", "createdAt", "updatedAt" FROM json_populate_record(NULL::"chats", '{"id":1,"uuid":"02b64a3e-2a8d-450b-b9f1-baa8fd272194","companyId":2,"title":"alfa-secreto","ownerId":1,"memberIds":[1,2],"lastMessage":"alfa-secreto","createdAt":"2026-11-30T02:35:48.2743+00:00","updatedAt":"2026-11-30T02:35:48.2743+00:00"}')
--> statement-breakpoint
INSERT INTO "chats" ("id", "uuid", "companyId", "title", "ownerId", "memberIds", "lastMessage", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "uuid", "companyId", "title", "ownerId", "memberIds", "lastMessage", "createdAt", "updatedAt" FROM json_populate_record(NULL::"chats", '{"id":2,"uuid":"c7503a43-588b-40b9-8a6e-a2e1a12c7086","companyId":3,"title":"notes to myself","ownerId":3,"memberIds":[3],"lastMessage":"notes to myself","createdAt":"2026-11-30T02:35:48.396019+00:00","updatedAt":"2026-11-30T02:35:48.396019+00:00"}')
--> statement-breakpoint
INSERT INTO "companies" ("id", "name", "email", "phone", "status", "planId", "dueDate", "trialUntil", "dueDay", "recurrence", "timeZone", "language", "callingCode", "schedules", "holidays", "billingName", "billingDocument", "addressStreet", "addressDistrict", "addressCity", "addressState", "addressZipCode", "addressCountry", "removal", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "name", "email", "phone", "status", "planId", "dueDate", "trialUntil", "dueDay", "recurrence", "timeZone", "language", "callingCode", "schedules", "holidays", "billingName", "billingDocument", "addressStreet", "addressDistrict", "addressCity", "addressState", "addressZipCode", "addressCountry", "removal", "createdAt", "updatedAt" FROM json_populate_record(NULL::"companies", '{"id":1,"name":"Company xomiw 2","email":"","phone":"","status":true,"planId":1,"dueDate":"2099-12-31","trialUntil":null,"dueDay":null,"recurrence":"MENSAL","timeZone":"America/Sao_Paulo","language":"pt","callingCode":"55","schedules":[],"holidays":[],"billingName":"","billingDocument":"","addressStreet":"","addressDistrict":"","addressCity":"","addressState":"","addressZipCode":"","addressCountry":"","removal":null,"createdAt":"2026-11-30T02:35:48.192389+00:00","updatedAt":"2026-11-30T02:35:48.192389+00:00"}')
--> statement-breakpoint
INSERT INTO "companies" ("id", "name", "email", "phone", "status", "planId", "dueDate", "trialUntil", "dueDay", "recurrence", "timeZone", "language", "callingCode", "schedules", "holidays", "billingName", "billingDocument", "addressStreet", "addressDistrict", "addressCity", "addressState", "addressZipCode", "addressCountry", "removal", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "name", "email", "phone", "status", "planId", "dueDate", "trialUntil", "dueDay", "recurrence", "timeZone", "language", "callingCode", "schedules", "holidays", "billingName", "billingDocument", "addressStreet", "addressDistrict", "addressCity", "addressState", "addressZipCode", "addressCountry", "removal", "createdAt", "updatedAt" FROM json_populate_record(NULL::"companies", '{"id":2,"name":"alfa-secreto company","email":"","phone":"","status":true,"planId":2,"dueDate":"2099-12-31","trialUntil":null,"dueDay":null,"recurrence":"MENSAL","timeZone":"America/Sao_Paulo","language":"pt","callingCode":"55","schedules":[],"holidays":[],"billingName":"","billingDocument":"","addressStreet":"","addressDistrict":"","addressCity":"","addressState":"","addressZipCode":"","addressCountry":"","removal":null,"createdAt":"2026-11-30T02:35:48.202263+00:00","updatedAt":"2026-11-30T02:35:48.202263+00:00"}')
--> statement-breakpoint
INSERT INTO "companies" ("id", "name", "email", "phone", "status", "planId", "dueDate", "trialUntil", "dueDay", "recurrence", "timeZone", "language", "callingCode", "schedules", "holidays", "billingName", "billingDocument", "addressStreet", "addressDistrict", "addressCity", "addressState", "addressZipCode", "addressCountry", "removal", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "name", "email", "phone", "status", "planId", "dueDate", "trialUntil", "dueDay", "recurrence", "timeZone", "language", "callingCode", "schedules", "holidays", "billingName", "billingDocument", "addressStreet", "addressDistrict", "addressCity", "addressState", "addressZipCode", "addressCountry", "removal", "createdAt", "updatedAt" FROM json_populate_record(NULL::"companies", '{"id":3,"name":"Company xomiw 14","email":"","phone":"","status":true,"planId":3,"dueDate":"2099-12-31","trialUntil":null,"dueDay":null,"recurrence":"MENSAL","timeZone":"America/Sao_Paulo","language":"pt","callingCode":"55","schedules":[],"holidays":[],"billingName":"","billingDocument":"","addressStreet":"","addressDistrict":"","addressCity":"","addressState":"","addressZipCode":"","addressCountry":"","removal":null,"createdAt":"2026-11-30T02:35:48.379197+00:00","updatedAt":"2026-11-30T02:35:48.379197+00:00"}')
--> statement-breakpoint
INSERT INTO "contact_aliases" ("id", "companyId", "contactId", "kind", "scope", "value", "since", "until") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "contactId", "kind", "scope", "value", "since", "until" FROM json_populate_record(NULL::"contact_aliases", '{"id":1,"companyId":2,"contactId":1,"kind":"bsuid","scope":"1","value":"BR.alfa-secreto","since":"1970-01-01T00:00:00+00:00","until":null}')
--> statement-breakpoint
INSERT INTO "contact_list_items" ("id", "companyId", "contactListId", "name", "number", "key", "lid", "email", "isWhatsappValid", "checkedAt", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "contactListId", "name", "number", "key", "lid", "email", "isWhatsappValid", "checkedAt", "createdAt", "updatedAt" FROM json_populate_record(NULL::"contact_list_items", '{"id":1,"companyId":2,"contactListId":1,"name":"alfa-secreto","number":"5511911113333","key":"1111113333","lid":null,"email":"","isWhatsappValid":null,"checkedAt":null,"createdAt":"2026-11-30T02:35:48.338316+00:00","updatedAt":"2026-11-30T02:35:48.338316+00:00"}')
--> statement-breakpoint
INSERT INTO "contact_lists" ("id", "companyId", "name", "checkState", "checkTotal", "checkDone", "checkNextAt", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "checkState", "checkTotal", "checkDone", "checkNextAt", "createdAt", "updatedAt" FROM json_populate_record(NULL::"contact_lists", '{"id":1,"companyId":2,"name":"alfa-secreto","checkState":"none","checkTotal":0,"checkDone":0,"checkNextAt":null,"createdAt":"2026-11-30T02:35:48.335134+00:00","updatedAt":"2026-11-30T02:35:48.335134+00:00"}')
--> statement-breakpoint
INSERT INTO "contact_merges" ("id", "companyId", "keptId", "before", "userId", "createdAt", "undoneAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "keptId", "before", "userId", "createdAt", "undoneAt" FROM json_populate_record(NULL::"contact_merges", '{"id":1,"companyId":2,"keptId":1,"before":{"gone": {"name": "alfa-secreto"}, "kept": {}, "after": {}, "joined": [], "ticketIds": [], "scheduleIds": []},"userId":null,"createdAt":"2026-11-30T02:35:48.249333+00:00","undoneAt":null}')
--> statement-breakpoint
INSERT INTO "contacts" ("id", "companyId", "name", "nameSource", "number", "numberAt", "lid", "username", "email", "isGroup", "profilePicUrl", "extraInfo", "disableBot", "activeOn", "createdAt", "updatedAt", "changeId") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "nameSource", "number", "numberAt", "lid", "username", "email", "isGroup", "profilePicUrl", "extraInfo", "disableBot", "activeOn", "createdAt", "updatedAt", "changeId" FROM json_populate_record(NULL::"contacts", '{"id":1,"companyId":2,"name":"alfa-secreto contact","nameSource":"push","number":"5511911112222","numberAt":null,"lid":null,"username":null,"email":"","isGroup":false,"profilePicUrl":null,"extraInfo":[],"disableBot":false,"activeOn":"2026-11-30","createdAt":"2026-11-30T02:35:48.2226+00:00","updatedAt":"2026-11-30T02:35:48.2226+00:00","changeId":"775"}')
--> statement-breakpoint
INSERT INTO "contacts" ("id", "companyId", "name", "nameSource", "number", "numberAt", "lid", "username", "email", "isGroup", "profilePicUrl", "extraInfo", "disableBot", "activeOn", "createdAt", "updatedAt", "changeId") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "nameSource", "number", "numberAt", "lid", "username", "email", "isGroup", "profilePicUrl", "extraInfo", "disableBot", "activeOn", "createdAt", "updatedAt", "changeId" FROM json_populate_record(NULL::"contacts", '{"id":2,"companyId":3,"name":"Contact 18","nameSource":"push","number":"5511900000018","numberAt":null,"lid":null,"username":null,"email":"","isGroup":false,"profilePicUrl":null,"extraInfo":[],"disableBot":false,"activeOn":"2026-11-30","createdAt":"2026-11-30T02:35:48.391166+00:00","updatedAt":"2026-11-30T02:35:48.391166+00:00","changeId":"830"}')
--> statement-breakpoint
INSERT INTO "file_list_options" ("id", "companyId", "fileListId", "name", "position", "mediaPath", "mediaName", "mediaMime", "mediaSize") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "fileListId", "name", "position", "mediaPath", "mediaName", "mediaMime", "mediaSize" FROM json_populate_record(NULL::"file_list_options", '{"id":1,"companyId":2,"fileListId":1,"name":"alfa-secreto","position":0,"mediaPath":"company2/396e3f0755b131e84cad4f8980b7e336ef253f9cc9408893.png","mediaName":"a.png","mediaMime":"image/png","mediaSize":70}')
--> statement-breakpoint
INSERT INTO "file_lists" ("id", "companyId", "name", "message", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "message", "createdAt", "updatedAt" FROM json_populate_record(NULL::"file_lists", '{"id":1,"companyId":2,"name":"alfa-secreto","message":"alfa-secreto","createdAt":"2026-11-30T02:35:48.363539+00:00","updatedAt":"2026-11-30T02:35:48.363539+00:00"}')
--> statement-breakpoint
INSERT INTO "flow_campaigns" ("id", "companyId", "name", "flowId", "whatsappId", "phrase", "phraseKey", "status", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "flowId", "whatsappId", "phrase", "phraseKey", "status", "createdAt", "updatedAt" FROM json_populate_record(NULL::"flow_campaigns", '{"id":1,"companyId":2,"name":"alfa-secreto","flowId":1,"whatsappId":null,"phrase":"alfa-secreto","phraseKey":"alfa secreto","status":true,"createdAt":"2026-11-30T02:35:48.295371+00:00","updatedAt":"2026-11-30T02:35:48.295371+00:00"}')
--> statement-breakpoint
INSERT INTO "flow_campaigns" ("id", "companyId", "name", "flowId", "whatsappId", "phrase", "phraseKey", "status", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "flowId", "whatsappId", "phrase", "phraseKey", "status", "createdAt", "updatedAt" FROM json_populate_record(NULL::"flow_campaigns", '{"id":2,"companyId":3,"name":"other flow","flowId":2,"whatsappId":null,"phrase":"other flow","phraseKey":"other flow","status":true,"createdAt":"2026-11-30T02:35:48.412186+00:00","updatedAt":"2026-11-30T02:35:48.412186+00:00"}')
--> statement-breakpoint
INSERT INTO "flow_defaults" ("companyId", "flowIdWelcome", "flowIdNotPhrase", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "companyId", "flowIdWelcome", "flowIdNotPhrase", "updatedAt" FROM json_populate_record(NULL::"flow_defaults", '{"companyId":2,"flowIdWelcome":1,"flowIdNotPhrase":null,"updatedAt":"2026-11-30T02:35:48.298266+00:00"}')
--> statement-breakpoint
INSERT INTO "flow_defaults" ("companyId", "flowIdWelcome", "flowIdNotPhrase", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "companyId", "flowIdWelcome", "flowIdNotPhrase", "updatedAt" FROM json_populate_record(NULL::"flow_defaults", '{"companyId":3,"flowIdWelcome":2,"flowIdNotPhrase":null,"updatedAt":"2026-11-30T02:35:48.413352+00:00"}')
--> statement-breakpoint
INSERT INTO "flow_files" ("id", "companyId", "name", "mediaPath", "mediaName", "mediaMime", "mediaSize", "createdAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "mediaPath", "mediaName", "mediaMime", "mediaSize", "createdAt" FROM json_populate_record(NULL::"flow_files", '{"id":1,"companyId":2,"name":"alfa-secreto.png","mediaPath":"company2/15a11a9663cb37a6a66f47be48b9635db2c21e349add4b9a.png","mediaName":"alfa-secreto.png","mediaMime":"image/png","mediaSize":70,"createdAt":"2026-11-30T02:35:48.28746+00:00"}')
--> statement-breakpoint
INSERT INTO "flow_files" ("id", "companyId", "name", "mediaPath", "mediaName", "mediaMime", "mediaSize", "createdAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "mediaPath", "mediaName", "mediaMime", "mediaSize", "createdAt" FROM json_populate_record(NULL::"flow_files", '{"id":2,"companyId":3,"name":"other flow.png","mediaPath":"company3/235ad205898eb56ea91eda7239836baa6af0d0eb2da9b2fd.png","mediaName":"other flow.png","mediaMime":"image/png","mediaSize":70,"createdAt":"2026-11-30T02:35:48.406034+00:00"}')
--> statement-breakpoint
INSERT INTO "flow_nodes" ("id", "companyId", "flowId", "node", "type", "x", "y", "data", "exits", "rev", "userId", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "flowId", "node", "type", "x", "y", "data", "exits", "rev", "userId", "updatedAt" FROM json_populate_record(NULL::"flow_nodes", '{"id":"1:1","companyId":2,"flowId":1,"node":"1","type":"start","x":0,"y":0,"data":{},"exits":{"a": "m1"},"rev":1,"userId":null,"updatedAt":"2026-11-30T02:35:48.28918+00:00"}')
--> statement-breakpoint
INSERT INTO "flow_nodes" ("id", "companyId", "flowId", "node", "type", "x", "y", "data", "exits", "rev", "userId", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "flowId", "node", "type", "x", "y", "data", "exits", "rev", "userId", "updatedAt" FROM json_populate_record(NULL::"flow_nodes", '{"id":"1:m1","companyId":2,"flowId":1,"node":"m1","type":"message","x":300,"y":0,"data":{"text": "alfa-secreto"},"exits":{},"rev":1,"userId":null,"updatedAt":"2026-11-30T02:35:48.291252+00:00"}')
--> statement-breakpoint
INSERT INTO "flow_nodes" ("id", "companyId", "flowId", "node", "type", "x", "y", "data", "exits", "rev", "userId", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "flowId", "node", "type", "x", "y", "data", "exits", "rev", "userId", "updatedAt" FROM json_populate_record(NULL::"flow_nodes", '{"id":"2:1","companyId":3,"flowId":2,"node":"1","type":"start","x":0,"y":0,"data":{},"exits":{"a": "m1"},"rev":1,"userId":null,"updatedAt":"2026-11-30T02:35:48.407163+00:00"}')
--> statement-breakpoint
INSERT INTO "flow_nodes" ("id", "companyId", "flowId", "node", "type", "x", "y", "data", "exits", "rev", "userId", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "flowId", "node", "type", "x", "y", "data", "exits", "rev", "userId", "updatedAt" FROM json_populate_record(NULL::"flow_nodes", '{"id":"2:m1","companyId":3,"flowId":2,"node":"m1","type":"message","x":300,"y":0,"data":{"text": "other flow"},"exits":{},"rev":1,"userId":null,"updatedAt":"2026-11-30T02:35:48.407771+00:00"}')
--> statement-breakpoint
INSERT INTO "flow_secrets" ("id", "companyId", "name", "value", "hosts", "userId", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "value", "hosts", "userId", "createdAt", "updatedAt" FROM json_populate_record(NULL::"flow_secrets", '{"id":1,"companyId":2,"name":"key","value":"AXLJpdI+SoGAOuD6cpYwXS6pwJbJmeOrZBA7hpALFQGtt5Pm4g5tIbCmz3SusMwf/ZguKqZUKfHL31aKNr6u73s=","hosts":[],"userId":null,"createdAt":"2026-11-30T02:35:48.301292+00:00","updatedAt":"2026-11-30T02:35:48.301292+00:00"}')
--> statement-breakpoint
INSERT INTO "flow_secrets" ("id", "companyId", "name", "value", "hosts", "userId", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "value", "hosts", "userId", "createdAt", "updatedAt" FROM json_populate_record(NULL::"flow_secrets", '{"id":2,"companyId":3,"name":"key","value":"ASmgeUSjl/ja+Cy91DkmTJ4RdRvU+NB+PP34KuAZkccwrveYjlUwxTAoweWdT3k5IMxLiSq0/sbtfAo=","hosts":[],"userId":null,"createdAt":"2026-11-30T02:35:48.415491+00:00","updatedAt":"2026-11-30T02:35:48.415491+00:00"}')
--> statement-breakpoint
INSERT INTO "flow_versions" ("id", "companyId", "flowId", "number", "nodes", "note", "userId", "createdAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "flowId", "number", "nodes", "note", "userId", "createdAt" FROM json_populate_record(NULL::"flow_versions", '{"id":1,"companyId":2,"flowId":1,"number":1,"nodes":[{"x": 0, "y": 0, "data": {}, "node": "1", "type": "start", "exits": {"a": "m1"}}, {"x": 300, "y": 0, "data": {"text": "alfa-secreto"}, "node": "m1", "type": "message", "exits": {}}],"note":"alfa-secreto","userId":null,"createdAt":"2026-11-30T02:35:48.291907+00:00"}')
--> statement-breakpoint
INSERT INTO "flow_versions" ("id", "companyId", "flowId", "number", "nodes", "note", "userId", "createdAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "flowId", "number", "nodes", "note", "userId", "createdAt" FROM json_populate_record(NULL::"flow_versions", '{"id":2,"companyId":3,"flowId":2,"number":1,"nodes":[{"x": 0, "y": 0, "data": {}, "node": "1", "type": "start", "exits": {"a": "m1"}}, {"x": 300, "y": 0, "data": {"text": "other flow"}, "node": "m1", "type": "message", "exits": {}}],"note":"other flow","userId":null,"createdAt":"2026-11-30T02:35:48.40958+00:00"}')
--> statement-breakpoint
INSERT INTO "flows" ("id", "companyId", "name", "active", "versionId", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "active", "versionId", "createdAt", "updatedAt" FROM json_populate_record(NULL::"flows", '{"id":1,"companyId":2,"name":"alfa-secreto","active":true,"versionId":1,"createdAt":"2026-11-30T02:35:48.281044+00:00","updatedAt":"2026-11-30T02:35:48.281044+00:00"}')
--> statement-breakpoint
INSERT INTO "flows" ("id", "companyId", "name", "active", "versionId", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "active", "versionId", "createdAt", "updatedAt" FROM json_populate_record(NULL::"flows", '{"id":2,"companyId":3,"name":"other flow","active":true,"versionId":2,"createdAt":"2026-11-30T02:35:48.40328+00:00","updatedAt":"2026-11-30T02:35:48.40328+00:00"}')
--> statement-breakpoint
INSERT INTO "invoices" ("id", "companyId", "detail", "value", "dueDate", "months", "status", "paidAt", "paidVia", "boughtFrom", "boughtUntil", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "detail", "value", "dueDate", "months", "status", "paidAt", "paidVia", "boughtFrom", "boughtUntil", "createdAt", "updatedAt" FROM json_populate_record(NULL::"invoices", '{"id":1,"companyId":2,"detail":"alfa-secreto","value":99.90,"dueDate":"2026-12-01","months":1,"status":"open","paidAt":null,"paidVia":null,"boughtFrom":null,"boughtUntil":null,"createdAt":"2026-11-30T02:35:48.368691+00:00","updatedAt":"2026-11-30T02:35:48.368691+00:00"}')
--> statement-breakpoint
INSERT INTO "messages" ("id", "companyId", "ticketId", "contactId", "whatsappId", "wid", "fromMe", "authorId", "participantName", "participantNumber", "body", "isCut", "mediaType", "mediaState", "mediaPath", "mediaName", "mediaMime", "mediaSize", "mediaSeconds", "waveform", "isVoice", "read", "ack", "ackError", "isDeleted", "isEdited", "earlierBodies", "reactions", "quotedMsgId", "about", "queueScope", "userScope", "createdAt", "updatedAt", "changeId") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "ticketId", "contactId", "whatsappId", "wid", "fromMe", "authorId", "participantName", "participantNumber", "body", "isCut", "mediaType", "mediaState", "mediaPath", "mediaName", "mediaMime", "mediaSize", "mediaSeconds", "waveform", "isVoice", "read", "ack", "ackError", "isDeleted", "isEdited", "earlierBodies", "reactions", "quotedMsgId", "about", "queueScope", "userScope", "createdAt", "updatedAt", "changeId" FROM json_populate_record(NULL::"messages", '{"id":"01a22a4e-f890-7091-8eaf-ce6981a79021","companyId":2,"ticketId":1,"contactId":1,"whatsappId":1,"wid":"3EB0918EAFCE6981A79021","fromMe":false,"authorId":null,"participantName":null,"participantNumber":null,"body":"alfa-secreto","isCut":false,"mediaType":"chat","mediaState":"ready","mediaPath":"company2/c6b3f820bfcd21115c45ecd9443675506b4765da8908986f.pdf","mediaName":"alfa-secreto.pdf","mediaMime":"application/pdf","mediaSize":null,"mediaSeconds":null,"waveform":null,"isVoice":false,"read":false,"ack":1,"ackError":null,"isDeleted":false,"isEdited":false,"earlierBodies":[],"reactions":[],"quotedMsgId":null,"about":null,"queueScope":1,"userScope":null,"createdAt":"2026-11-30T02:35:48.241824+00:00","updatedAt":"2026-11-30T02:35:48.241824+00:00","changeId":"779"}')
--> statement-breakpoint
INSERT INTO "messages" ("id", "companyId", "ticketId", "contactId", "whatsappId", "wid", "fromMe", "authorId", "participantName", "participantNumber", "body", "isCut", "mediaType", "mediaState", "mediaPath", "mediaName", "mediaMime", "mediaSize", "mediaSeconds", "waveform", "isVoice", "read", "ack", "ackError", "isDeleted", "isEdited", "earlierBodies", "reactions", "quotedMsgId", "about", "queueScope", "userScope", "createdAt", "updatedAt", "changeId") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "ticketId", "contactId", "whatsappId", "wid", "fromMe", "authorId", "participantName", "participantNumber", "body", "isCut", "mediaType", "mediaState", "mediaPath", "mediaName", "mediaMime", "mediaSize", "mediaSeconds", "waveform", "isVoice", "read", "ack", "ackError", "isDeleted", "isEdited", "earlierBodies", "reactions", "quotedMsgId", "about", "queueScope", "userScope", "createdAt", "updatedAt", "changeId" FROM json_populate_record(NULL::"messages", '{"id":"01a22a4e-f895-7044-9d35-e0ca7d098d69","companyId":2,"ticketId":1,"contactId":1,"whatsappId":1,"wid":"3EB0449D35E0CA7D098D69","fromMe":true,"authorId":null,"participantName":null,"participantNumber":null,"body":"alfa-secreto own","isCut":false,"mediaType":"chat","mediaState":"none","mediaPath":null,"mediaName":null,"mediaMime":null,"mediaSize":null,"mediaSeconds":null,"waveform":null,"isVoice":false,"read":false,"ack":1,"ackError":null,"isDeleted":false,"isEdited":false,"earlierBodies":[],"reactions":[],"quotedMsgId":null,"about":null,"queueScope":1,"userScope":null,"createdAt":"2026-11-30T02:35:48.24626+00:00","updatedAt":"2026-11-30T02:35:48.24626+00:00","changeId":"780"}')
--> statement-breakpoint
INSERT INTO "opt_outs" ("id", "companyId", "number", "key", "lid", "source", "text", "messageId", "userId", "createdAt", "updatedAt", "revokedAt", "revokedBy", "revokedMessageId", "reason", "changeId") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "number", "key", "lid", "source", "text", "messageId", "userId", "createdAt", "updatedAt", "revokedAt", "revokedBy", "revokedMessageId", "reason", "changeId" FROM json_populate_record(NULL::"opt_outs", '{"id":1,"companyId":2,"number":"5511911114444","key":"1111114444","lid":null,"source":"hand","text":"alfa-secreto","messageId":null,"userId":null,"createdAt":"2026-11-30T02:35:48.348868+00:00","updatedAt":"2026-11-30T02:35:48.348868+00:00","revokedAt":null,"revokedBy":null,"revokedMessageId":null,"reason":null,"changeId":"817"}')
--> statement-breakpoint
INSERT INTO "passkeys" ("id", "companyId", "userId", "name", "credentialId", "publicKey", "userHandle", "counter", "transports", "synced", "createdAt", "lastUsedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "userId", "name", "credentialId", "publicKey", "userHandle", "counter", "transports", "synced", "createdAt", "lastUsedAt" FROM json_populate_record(NULL::"passkeys", '{"id":1,"companyId":2,"userId":1,"name":"alfa-secreto","credentialId":"key-xomiw-12","publicKey":"AA","userHandle":"AA","counter":0,"transports":[],"synced":false,"createdAt":"2026-11-30T02:35:48.254+00:00","lastUsedAt":null}')
--> statement-breakpoint
INSERT INTO "payment_accounts" ("companyId", "provider", "config", "secrets", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "companyId", "provider", "config", "secrets", "updatedAt" FROM json_populate_record(NULL::"payment_accounts", '{"companyId":1,"provider":"pix","config":{"pixKey": "caixa@example.test", "pixCity": "Recife", "pixName": "Operador", "efiBaseUrl": "", "efiClientId": "", "asaasBaseUrl": ""},"secrets":"AZG4rBqsxZ6z0H1r2WzwqPPQYGc+DG/NNvL+48xAqvf7iFJcTpVft+lPgdT4fDe9kMCg/xIpUe00THRuSdIjHofmELsvYtLSzXZ3McVYVVq3lJjeEC/lUDWU7NWhsek4O8mC/3a6VxDouAcOzHsnNc6ewzhx/r3cOn1ZPmVTPdm4/lLknDFVzFnD81WhgSgqzHeH","updatedAt":"2026-11-30T02:35:48.071+00:00"}')
--> statement-breakpoint
INSERT INTO "plans" ("id", "name", "users", "connections", "queues", "value", "useCampaigns", "useSchedules", "useInternalChat", "useExternalApi", "useKanban", "useOpenAi", "useIntegrations", "useInternal", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "name", "users", "connections", "queues", "value", "useCampaigns", "useSchedules", "useInternalChat", "useExternalApi", "useKanban", "useOpenAi", "useIntegrations", "useInternal", "createdAt", "updatedAt" FROM json_populate_record(NULL::"plans", '{"id":1,"name":"Plan xomiw 1","users":10,"connections":10,"queues":10,"value":0.00,"useCampaigns":true,"useSchedules":true,"useInternalChat":true,"useExternalApi":true,"useKanban":true,"useOpenAi":true,"useIntegrations":true,"useInternal":true,"createdAt":"2026-11-30T02:35:48.186785+00:00","updatedAt":"2026-11-30T02:35:48.186785+00:00"}')
--> statement-breakpoint
INSERT INTO "plans" ("id", "name", "users", "connections", "queues", "value", "useCampaigns", "useSchedules", "useInternalChat", "useExternalApi", "useKanban", "useOpenAi", "useIntegrations", "useInternal", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "name", "users", "connections", "queues", "value", "useCampaigns", "useSchedules", "useInternalChat", "useExternalApi", "useKanban", "useOpenAi", "useIntegrations", "useInternal", "createdAt", "updatedAt" FROM json_populate_record(NULL::"plans", '{"id":2,"name":"Plan xomiw 3","users":10,"connections":10,"queues":10,"value":0.00,"useCampaigns":true,"useSchedules":true,"useInternalChat":true,"useExternalApi":true,"useKanban":true,"useOpenAi":true,"useIntegrations":true,"useInternal":true,"createdAt":"2026-11-30T02:35:48.200165+00:00","updatedAt":"2026-11-30T02:35:48.200165+00:00"}')
--> statement-breakpoint
INSERT INTO "plans" ("id", "name", "users", "connections", "queues", "value", "useCampaigns", "useSchedules", "useInternalChat", "useExternalApi", "useKanban", "useOpenAi", "useIntegrations", "useInternal", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "name", "users", "connections", "queues", "value", "useCampaigns", "useSchedules", "useInternalChat", "useExternalApi", "useKanban", "useOpenAi", "useIntegrations", "useInternal", "createdAt", "updatedAt" FROM json_populate_record(NULL::"plans", '{"id":3,"name":"Plan xomiw 13","users":10,"connections":10,"queues":10,"value":0.00,"useCampaigns":true,"useSchedules":true,"useInternalChat":true,"useExternalApi":true,"useKanban":true,"useOpenAi":true,"useIntegrations":true,"useInternal":true,"createdAt":"2026-11-30T02:35:48.376719+00:00","updatedAt":"2026-11-30T02:35:48.376719+00:00"}')
--> statement-breakpoint
INSERT INTO "prompt_usage" ("companyId", "month", "tokens", "answers") OVERRIDING SYSTEM VALUE SELECT "companyId", "month", "tokens", "answers" FROM json_populate_record(NULL::"prompt_usage", '{"companyId":2,"month":"2026-11-01","tokens":7777,"answers":3}')
--> statement-breakpoint
INSERT INTO "prompt_usage" ("companyId", "month", "tokens", "answers") OVERRIDING SYSTEM VALUE SELECT "companyId", "month", "tokens", "answers" FROM json_populate_record(NULL::"prompt_usage", '{"companyId":3,"month":"2026-11-01","tokens":7777,"answers":3}')
--> statement-breakpoint
INSERT INTO "prompts" ("id", "companyId", "name", "prompt", "apiKey", "baseUrl", "model", "transcriptionModel", "voice", "voiceKey", "voiceRegion", "maxTokens", "temperature", "maxMessages", "queueId", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "prompt", "apiKey", "baseUrl", "model", "transcriptionModel", "voice", "voiceKey", "voiceRegion", "maxTokens", "temperature", "maxMessages", "queueId", "createdAt", "updatedAt" FROM json_populate_record(NULL::"prompts", '{"id":1,"companyId":2,"name":"alfa-secreto prompt","prompt":"alfa-secretoalfa-secretoalfa-secretoalfa-secretoalfa-secreto","apiKey":"AY9wHzjst2DjxOvOk3QzKIvUvhcvseGMvc4a031qlVTmyXkruZJlsnGAKGg=","baseUrl":"http://127.0.0.1:1","model":"","transcriptionModel":"","voice":"texto","voiceKey":"","voiceRegion":"","maxTokens":100,"temperature":1,"maxMessages":10,"queueId":1,"createdAt":"2026-11-30T02:35:48.304687+00:00","updatedAt":"2026-11-30T02:35:48.304687+00:00"}')
--> statement-breakpoint
INSERT INTO "prompts" ("id", "companyId", "name", "prompt", "apiKey", "baseUrl", "model", "transcriptionModel", "voice", "voiceKey", "voiceRegion", "maxTokens", "temperature", "maxMessages", "queueId", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "prompt", "apiKey", "baseUrl", "model", "transcriptionModel", "voice", "voiceKey", "voiceRegion", "maxTokens", "temperature", "maxMessages", "queueId", "createdAt", "updatedAt" FROM json_populate_record(NULL::"prompts", '{"id":2,"companyId":3,"name":"other prompt","prompt":"otherotherotherotherother","apiKey":"AXsaqbFNiIZZYl205LEU0QO28XIVOWIMum3wXJ+i2U5S4Vzfbw==","baseUrl":"http://127.0.0.1:1","model":"","transcriptionModel":"","voice":"texto","voiceKey":"","voiceRegion":"","maxTokens":100,"temperature":1,"maxMessages":10,"queueId":2,"createdAt":"2026-11-30T02:35:48.416493+00:00","updatedAt":"2026-11-30T02:35:48.416493+00:00"}')
--> statement-breakpoint
INSERT INTO "push_subscriptions" ("id", "companyId", "userId", "sessionId", "endpoint", "p256dh", "auth", "createdAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "userId", "sessionId", "endpoint", "p256dh", "auth", "createdAt" FROM json_populate_record(NULL::"push_subscriptions", '{"id":1,"companyId":2,"userId":1,"sessionId":1,"endpoint":"https://push.example.test/alfa-secreto","p256dh":"alfa-secreto","auth":"alfa-secreto","createdAt":"2026-11-30T02:35:48.258108+00:00"}')
--> statement-breakpoint
INSERT INTO "queue_integrations" ("id", "companyId", "type", "name", "projectName", "jsonContent", "language", "urlN8N", "secret", "flowId", "typebotSlug", "typebotDelayMessage", "typebotExpires", "typebotKeywordFinish", "typebotKeywordRestart", "typebotRestartMessage", "typebotUnknownMessage", "options", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "type", "name", "projectName", "jsonContent", "language", "urlN8N", "secret", "flowId", "typebotSlug", "typebotDelayMessage", "typebotExpires", "typebotKeywordFinish", "typebotKeywordRestart", "typebotRestartMessage", "typebotUnknownMessage", "options", "createdAt", "updatedAt" FROM json_populate_record(NULL::"queue_integrations", '{"id":1,"companyId":2,"type":"typebot","name":"alfa-secreto bot","projectName":"","jsonContent":"","language":"","urlN8N":"http://127.0.0.1:1","secret":"","flowId":null,"typebotSlug":"alfa-secreto","typebotDelayMessage":1000,"typebotExpires":1,"typebotKeywordFinish":"","typebotKeywordRestart":"","typebotRestartMessage":"","typebotUnknownMessage":"","options":{},"createdAt":"2026-11-30T02:35:48.309256+00:00","updatedAt":"2026-11-30T02:35:48.309256+00:00"}')
--> statement-breakpoint
INSERT INTO "queue_integrations" ("id", "companyId", "type", "name", "projectName", "jsonContent", "language", "urlN8N", "secret", "flowId", "typebotSlug", "typebotDelayMessage", "typebotExpires", "typebotKeywordFinish", "typebotKeywordRestart", "typebotRestartMessage", "typebotUnknownMessage", "options", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "type", "name", "projectName", "jsonContent", "language", "urlN8N", "secret", "flowId", "typebotSlug", "typebotDelayMessage", "typebotExpires", "typebotKeywordFinish", "typebotKeywordRestart", "typebotRestartMessage", "typebotUnknownMessage", "options", "createdAt", "updatedAt" FROM json_populate_record(NULL::"queue_integrations", '{"id":2,"companyId":3,"type":"typebot","name":"other bot","projectName":"","jsonContent":"","language":"","urlN8N":"http://127.0.0.1:1","secret":"","flowId":null,"typebotSlug":"other","typebotDelayMessage":1000,"typebotExpires":1,"typebotKeywordFinish":"","typebotKeywordRestart":"","typebotRestartMessage":"","typebotUnknownMessage":"","options":{},"createdAt":"2026-11-30T02:35:48.419638+00:00","updatedAt":"2026-11-30T02:35:48.419638+00:00"}')
--> statement-breakpoint
INSERT INTO "queue_options" ("id", "companyId", "queueId", "parentId", "option", "title", "message", "mediaPath", "mediaName", "mediaMime", "mediaSize", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "queueId", "parentId", "option", "title", "message", "mediaPath", "mediaName", "mediaMime", "mediaSize", "createdAt", "updatedAt" FROM json_populate_record(NULL::"queue_options", '{"id":1,"companyId":2,"queueId":1,"parentId":null,"option":1,"title":"alfa-secreto","message":"alfa-secreto","mediaPath":"company2/2197769555d23279244df358388065260499267a26d4996c.pdf","mediaName":"a.pdf","mediaMime":null,"mediaSize":null,"createdAt":"2026-11-30T02:35:48.330475+00:00","updatedAt":"2026-11-30T02:35:48.330475+00:00"}')
--> statement-breakpoint
INSERT INTO "queue_options" ("id", "companyId", "queueId", "parentId", "option", "title", "message", "mediaPath", "mediaName", "mediaMime", "mediaSize", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "queueId", "parentId", "option", "title", "message", "mediaPath", "mediaName", "mediaMime", "mediaSize", "createdAt", "updatedAt" FROM json_populate_record(NULL::"queue_options", '{"id":2,"companyId":3,"queueId":2,"parentId":null,"option":1,"title":"other","message":"other","mediaPath":"company3/26c2a46ff1625b73b16fd888e96ed861606ed77b5512caaf.pdf","mediaName":"a.pdf","mediaMime":null,"mediaSize":null,"createdAt":"2026-11-30T02:35:48.43185+00:00","updatedAt":"2026-11-30T02:35:48.43185+00:00"}')
--> statement-breakpoint
INSERT INTO "queues" ("id", "companyId", "name", "color", "greetingMessage", "outOfHoursMessage", "orderQueue", "schedules", "promptId", "integrationId", "mediaPath", "mediaName", "mediaMime", "mediaSize", "createdAt", "updatedAt", "changeId") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "color", "greetingMessage", "outOfHoursMessage", "orderQueue", "schedules", "promptId", "integrationId", "mediaPath", "mediaName", "mediaMime", "mediaSize", "createdAt", "updatedAt", "changeId" FROM json_populate_record(NULL::"queues", '{"id":1,"companyId":2,"name":"alfa-secreto queue","color":"#000005","greetingMessage":"alfa-secreto","outOfHoursMessage":"","orderQueue":null,"schedules":[],"promptId":null,"integrationId":null,"mediaPath":null,"mediaName":null,"mediaMime":null,"mediaSize":null,"createdAt":"2026-11-30T02:35:48.204081+00:00","updatedAt":"2026-11-30T02:35:48.204081+00:00","changeId":"769"}')
--> statement-breakpoint
INSERT INTO "queues" ("id", "companyId", "name", "color", "greetingMessage", "outOfHoursMessage", "orderQueue", "schedules", "promptId", "integrationId", "mediaPath", "mediaName", "mediaMime", "mediaSize", "createdAt", "updatedAt", "changeId") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "color", "greetingMessage", "outOfHoursMessage", "orderQueue", "schedules", "promptId", "integrationId", "mediaPath", "mediaName", "mediaMime", "mediaSize", "createdAt", "updatedAt", "changeId" FROM json_populate_record(NULL::"queues", '{"id":2,"companyId":3,"name":"Queue 16","color":"#000010","greetingMessage":"","outOfHoursMessage":"","orderQueue":null,"schedules":[],"promptId":null,"integrationId":null,"mediaPath":null,"mediaName":null,"mediaMime":null,"mediaSize":null,"createdAt":"2026-11-30T02:35:48.386095+00:00","updatedAt":"2026-11-30T02:35:48.386095+00:00","changeId":"828"}')
--> statement-breakpoint
INSERT INTO "quick_messages" ("id", "companyId", "userId", "shortcode", "message", "isGeneral", "status", "mediaPath", "mediaName", "mediaMime", "mediaSize", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "userId", "shortcode", "message", "isGeneral", "status", "mediaPath", "mediaName", "mediaMime", "mediaSize", "createdAt", "updatedAt" FROM json_populate_record(NULL::"quick_messages", '{"id":1,"companyId":2,"userId":1,"shortcode":"alfa-secreto-short","message":"alfa-secreto","isGeneral":true,"status":true,"mediaPath":"company2/9498c63040efa31916e1f8388fc0303d04d46780f7ff72e1.pdf","mediaName":"a.pdf","mediaMime":"application/pdf","mediaSize":null,"createdAt":"2026-11-30T02:35:48.265812+00:00","updatedAt":"2026-11-30T02:35:48.265812+00:00"}')
--> statement-breakpoint
INSERT INTO "roles" ("id", "companyId", "name", "permissions", "ticketScope", "maskNumbers", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "permissions", "ticketScope", "maskNumbers", "createdAt", "updatedAt" FROM json_populate_record(NULL::"roles", '{"id":1,"companyId":2,"name":"alfa-secreto","permissions":[],"ticketScope":"queues","maskNumbers":false,"createdAt":"2026-11-30T02:35:48.260921+00:00","updatedAt":"2026-11-30T02:35:48.260921+00:00"}')
--> statement-breakpoint
INSERT INTO "saved_filters" ("id", "companyId", "userId", "name", "filter", "createdAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "userId", "name", "filter", "createdAt" FROM json_populate_record(NULL::"saved_filters", '{"id":"01a22a4e-f8a4-701a-b424-9d4c60f2c189","companyId":2,"userId":1,"name":"alfa-secreto","filter":{},"createdAt":"2026-11-30T02:35:48.264656+00:00"}')
--> statement-breakpoint
INSERT INTO "schedules" ("id", "companyId", "contactId", "userId", "whatsappId", "body", "bulk", "sendAt", "sentAt", "waitsUntil", "status", "error", "mediaPath", "mediaName", "mediaMime", "mediaSize", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "contactId", "userId", "whatsappId", "body", "bulk", "sendAt", "sentAt", "waitsUntil", "status", "error", "mediaPath", "mediaName", "mediaMime", "mediaSize", "createdAt", "updatedAt" FROM json_populate_record(NULL::"schedules", '{"id":"01a22a4e-f8a3-70c4-8d72-4c3f8748dc95","companyId":2,"contactId":1,"userId":1,"whatsappId":null,"body":"alfa-secreto","bulk":false,"sendAt":"2099-01-01T00:00:00+00:00","sentAt":null,"waitsUntil":null,"status":"PENDENTE","error":null,"mediaPath":null,"mediaName":null,"mediaMime":null,"mediaSize":null,"createdAt":"2026-11-30T02:35:48.259405+00:00","updatedAt":"2026-11-30T02:35:48.259405+00:00"}')
--> statement-breakpoint
INSERT INTO "segments" ("id", "companyId", "name", "match", "rules", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "match", "rules", "createdAt", "updatedAt" FROM json_populate_record(NULL::"segments", '{"id":1,"companyId":2,"name":"alfa-secreto","match":"all","rules":[{"kind": "field", "name": "alfa-secreto", "value": "alfa-secreto"}],"createdAt":"2026-11-30T02:35:48.35227+00:00","updatedAt":"2026-11-30T02:35:48.35227+00:00"}')
--> statement-breakpoint
INSERT INTO "sessions" ("id", "companyId", "userId", "tokenVersion", "refreshHash", "userAgent", "address", "createdAt", "lastSeenAt", "expiresAt", "endedAt", "endedBy", "operatorId", "operatorName", "operatorSessionId", "reason", "readOnly") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "userId", "tokenVersion", "refreshHash", "userAgent", "address", "createdAt", "lastSeenAt", "expiresAt", "endedAt", "endedBy", "operatorId", "operatorName", "operatorSessionId", "reason", "readOnly" FROM json_populate_record(NULL::"sessions", '{"id":1,"companyId":2,"userId":1,"tokenVersion":0,"refreshHash":null,"userAgent":null,"address":null,"createdAt":"2026-11-30T02:35:48.25+00:00","lastSeenAt":"2026-11-30T02:35:48.25+00:00","expiresAt":"2099-12-31T00:00:00+00:00","endedAt":null,"endedBy":null,"operatorId":null,"operatorName":null,"operatorSessionId":null,"reason":null,"readOnly":false}')
--> statement-breakpoint
INSERT INTO "sessions" ("id", "companyId", "userId", "tokenVersion", "refreshHash", "userAgent", "address", "createdAt", "lastSeenAt", "expiresAt", "endedAt", "endedBy", "operatorId", "operatorName", "operatorSessionId", "reason", "readOnly") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "userId", "tokenVersion", "refreshHash", "userAgent", "address", "createdAt", "lastSeenAt", "expiresAt", "endedAt", "endedBy", "operatorId", "operatorName", "operatorSessionId", "reason", "readOnly" FROM json_populate_record(NULL::"sessions", '{"id":2,"companyId":3,"userId":3,"tokenVersion":1,"refreshHash":"vBhLpXv_I-1RjrHPad6GNcZ8JElT2XF2dzhtb5a7vl0","userAgent":null,"address":null,"createdAt":"2026-11-30T02:35:48.071+00:00","lastSeenAt":"2026-11-30T02:35:48.071+00:00","expiresAt":"2026-12-30T02:35:48.071+00:00","endedAt":null,"endedBy":null,"operatorId":null,"operatorName":null,"operatorSessionId":null,"reason":null,"readOnly":false}')
--> statement-breakpoint
INSERT INTO "settings" ("companyId", "key", "value", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "companyId", "key", "value", "updatedAt" FROM json_populate_record(NULL::"settings", '{"companyId":2,"key":"userRating","value":"enabled","updatedAt":"2026-11-30T02:35:48.271868+00:00"}')
--> statement-breakpoint
INSERT INTO "shippings" ("id", "companyId", "campaignId", "name", "number", "key", "lid", "email", "itemId", "state", "reason", "messageIndex", "body", "about", "whatsappId", "wid", "messageId", "ack", "attempts", "dueAt", "turn", "checkedAt", "confirmationBody", "confirmationWid", "confirmationMessageId", "confirmationRequestedAt", "confirmedAt", "answerBody", "answerWid", "answerMessageId", "answeredAt", "isNewChat", "sentAt", "deliveredAt", "readAt", "repliedAt", "optedOutAt", "ticketId", "createdAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "campaignId", "name", "number", "key", "lid", "email", "itemId", "state", "reason", "messageIndex", "body", "about", "whatsappId", "wid", "messageId", "ack", "attempts", "dueAt", "turn", "checkedAt", "confirmationBody", "confirmationWid", "confirmationMessageId", "confirmationRequestedAt", "confirmedAt", "answerBody", "answerWid", "answerMessageId", "answeredAt", "isNewChat", "sentAt", "deliveredAt", "readAt", "repliedAt", "optedOutAt", "ticketId", "createdAt" FROM json_populate_record(NULL::"shippings", '{"id":1,"companyId":2,"campaignId":1,"name":"alfa-secreto","number":"5511911113333","key":"1111113333","lid":null,"email":"","itemId":null,"state":"planned","reason":null,"messageIndex":0,"body":"alfa-secreto","about":null,"whatsappId":null,"wid":null,"messageId":null,"ack":0,"attempts":0,"dueAt":null,"turn":1,"checkedAt":null,"confirmationBody":null,"confirmationWid":null,"confirmationMessageId":null,"confirmationRequestedAt":null,"confirmedAt":null,"answerBody":null,"answerWid":null,"answerMessageId":null,"answeredAt":null,"isNewChat":false,"sentAt":null,"deliveredAt":null,"readAt":null,"repliedAt":null,"optedOutAt":null,"ticketId":null,"createdAt":"2026-11-30T02:35:48.346731+00:00"}')
--> statement-breakpoint
INSERT INTO "tags" ("id", "companyId", "name", "color", "kanban", "laneOrder", "laneLimit", "createdAt", "updatedAt", "changeId") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "color", "kanban", "laneOrder", "laneLimit", "createdAt", "updatedAt", "changeId" FROM json_populate_record(NULL::"tags", '{"id":1,"companyId":2,"name":"alfa-secreto tag","color":"#123456","kanban":0,"laneOrder":null,"laneLimit":null,"createdAt":"2026-11-30T02:35:48.225164+00:00","updatedAt":"2026-11-30T02:35:48.225164+00:00","changeId":"776"}')
--> statement-breakpoint
INSERT INTO "templates" ("id", "companyId", "whatsappId", "metaId", "name", "language", "category", "confirmedCategory", "nextCategory", "status", "quality", "reason", "advice", "parts", "isStrange", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "whatsappId", "metaId", "name", "language", "category", "confirmedCategory", "nextCategory", "status", "quality", "reason", "advice", "parts", "isStrange", "createdAt", "updatedAt" FROM json_populate_record(NULL::"templates", '{"id":1,"companyId":2,"whatsappId":1,"metaId":"1","name":"alfa-secreto","language":"pt_BR","category":"UTILITY","confirmedCategory":"UTILITY","nextCategory":null,"status":"APPROVED","quality":null,"reason":null,"advice":null,"parts":{"body": "alfa-secreto", "named": false, "footer": null, "header": null, "buttons": [], "examples": {}},"isStrange":false,"createdAt":"2026-11-30T02:35:48.267243+00:00","updatedAt":"2026-11-30T02:35:48.267243+00:00"}')
--> statement-breakpoint
INSERT INTO "ticket_notes" ("id", "companyId", "ticketId", "contactId", "userId", "note", "queueScope", "userScope", "createdAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "ticketId", "contactId", "userId", "note", "queueScope", "userScope", "createdAt" FROM json_populate_record(NULL::"ticket_notes", '{"id":"01a22a4e-f8ad-7028-a5f7-dc53cd0838d7","companyId":2,"ticketId":1,"contactId":1,"userId":1,"note":"alfa-secreto","queueScope":1,"userScope":null,"createdAt":"2026-11-30T02:35:48.269974+00:00"}')
--> statement-breakpoint
INSERT INTO "ticket_trackings" ("id", "companyId", "ticketId", "whatsappId", "userId", "queuedAt", "startedAt", "finishedAt", "ratingAt", "rated", "createdAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "ticketId", "whatsappId", "userId", "queuedAt", "startedAt", "finishedAt", "ratingAt", "rated", "createdAt" FROM json_populate_record(NULL::"ticket_trackings", '{"id":1,"companyId":2,"ticketId":1,"whatsappId":null,"userId":null,"queuedAt":"2026-11-30T02:35:48.231+00:00","startedAt":null,"finishedAt":null,"ratingAt":null,"rated":false,"createdAt":"2026-11-30T02:35:48.231431+00:00"}')
--> statement-breakpoint
INSERT INTO "ticket_trackings" ("id", "companyId", "ticketId", "whatsappId", "userId", "queuedAt", "startedAt", "finishedAt", "ratingAt", "rated", "createdAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "ticketId", "whatsappId", "userId", "queuedAt", "startedAt", "finishedAt", "ratingAt", "rated", "createdAt" FROM json_populate_record(NULL::"ticket_trackings", '{"id":2,"companyId":3,"ticketId":2,"whatsappId":null,"userId":null,"queuedAt":"2026-11-30T02:35:48.394+00:00","startedAt":null,"finishedAt":null,"ratingAt":null,"rated":false,"createdAt":"2026-11-30T02:35:48.395252+00:00"}')
--> statement-breakpoint
INSERT INTO "tickets" ("id", "uuid", "companyId", "status", "contactId", "whatsappId", "queueId", "userId", "lastMessage", "lastMessageDeleted", "lastMessageAt", "lastMessageFromMe", "unreadMessages", "isGroup", "chatbot", "useIntegration", "promptId", "integrationId", "tagIds", "createdAt", "updatedAt", "changeId") OVERRIDING SYSTEM VALUE SELECT "id", "uuid", "companyId", "status", "contactId", "whatsappId", "queueId", "userId", "lastMessage", "lastMessageDeleted", "lastMessageAt", "lastMessageFromMe", "unreadMessages", "isGroup", "chatbot", "useIntegration", "promptId", "integrationId", "tagIds", "createdAt", "updatedAt", "changeId" FROM json_populate_record(NULL::"tickets", '{"id":1,"uuid":"4225bdbf-0514-46e7-97c7-ccd7e685a596","companyId":2,"status":"open","contactId":1,"whatsappId":1,"queueId":1,"userId":1,"lastMessage":"alfa-secreto","lastMessageDeleted":false,"lastMessageAt":"2026-11-30T02:35:48.228321+00:00","lastMessageFromMe":false,"unreadMessages":1,"isGroup":false,"chatbot":false,"useIntegration":false,"promptId":null,"integrationId":null,"tagIds":[1],"createdAt":"2026-11-30T02:35:48.228321+00:00","updatedAt":"2026-11-30T02:35:48.228321+00:00","changeId":"777"}')
--> statement-breakpoint
INSERT INTO "tickets" ("id", "uuid", "companyId", "status", "contactId", "whatsappId", "queueId", "userId", "lastMessage", "lastMessageDeleted", "lastMessageAt", "lastMessageFromMe", "unreadMessages", "isGroup", "chatbot", "useIntegration", "promptId", "integrationId", "tagIds", "createdAt", "updatedAt", "changeId") OVERRIDING SYSTEM VALUE SELECT "id", "uuid", "companyId", "status", "contactId", "whatsappId", "queueId", "userId", "lastMessage", "lastMessageDeleted", "lastMessageAt", "lastMessageFromMe", "unreadMessages", "isGroup", "chatbot", "useIntegration", "promptId", "integrationId", "tagIds", "createdAt", "updatedAt", "changeId" FROM json_populate_record(NULL::"tickets", '{"id":2,"uuid":"58311d22-72d9-43c2-b60b-8147c3eb074a","companyId":3,"status":"open","contactId":2,"whatsappId":2,"queueId":2,"userId":3,"lastMessage":"","lastMessageDeleted":false,"lastMessageAt":"2026-11-30T02:35:48.392174+00:00","lastMessageFromMe":false,"unreadMessages":0,"isGroup":false,"chatbot":false,"useIntegration":false,"promptId":null,"integrationId":null,"tagIds":[],"createdAt":"2026-11-30T02:35:48.392174+00:00","updatedAt":"2026-11-30T02:35:48.392174+00:00","changeId":"831"}')
--> statement-breakpoint
INSERT INTO "user_queues" ("companyId", "userId", "queueId") OVERRIDING SYSTEM VALUE SELECT "companyId", "userId", "queueId" FROM json_populate_record(NULL::"user_queues", '{"companyId":2,"userId":1,"queueId":1}')
--> statement-breakpoint
INSERT INTO "users" ("id", "companyId", "name", "email", "passwordHash", "passwordIsInitial", "passwordIsKnown", "profile", "roleId", "super", "allTicket", "whatsappId", "online", "lastSeenAt", "tokenVersion", "firstStepsClosedAt", "createdAt", "updatedAt", "changeId") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "email", "passwordHash", "passwordIsInitial", "passwordIsKnown", "profile", "roleId", "super", "allTicket", "whatsappId", "online", "lastSeenAt", "tokenVersion", "firstStepsClosedAt", "createdAt", "updatedAt", "changeId" FROM json_populate_record(NULL::"users", '{"id":1,"companyId":2,"name":"alfa-secreto user","email":"alfa-secreto@example.test","passwordHash":"$argon2id$v=19$m=19456,t=2,p=1$sQf8YbHB+ywIzg6fjbobjRLy/xgus+Yg3biS2Vmb+PI$xcNT9dEAAK9r6Z+wLSUuv9iER3AYfBBekEBFCzvwIMU","passwordIsInitial":false,"passwordIsKnown":true,"profile":"admin","roleId":null,"super":false,"allTicket":false,"whatsappId":null,"online":false,"lastSeenAt":null,"tokenVersion":0,"firstStepsClosedAt":null,"createdAt":"2026-11-30T02:35:48.2152+00:00","updatedAt":"2026-11-30T02:35:48.2152+00:00","changeId":"772"}')
--> statement-breakpoint
INSERT INTO "users" ("id", "companyId", "name", "email", "passwordHash", "passwordIsInitial", "passwordIsKnown", "profile", "roleId", "super", "allTicket", "whatsappId", "online", "lastSeenAt", "tokenVersion", "firstStepsClosedAt", "createdAt", "updatedAt", "changeId") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "email", "passwordHash", "passwordIsInitial", "passwordIsKnown", "profile", "roleId", "super", "allTicket", "whatsappId", "online", "lastSeenAt", "tokenVersion", "firstStepsClosedAt", "createdAt", "updatedAt", "changeId" FROM json_populate_record(NULL::"users", '{"id":2,"companyId":2,"name":"alfa-secreto agent","email":"user-xomiw-8@example.com","passwordHash":"$argon2id$v=19$m=19456,t=2,p=1$sQf8YbHB+ywIzg6fjbobjRLy/xgus+Yg3biS2Vmb+PI$xcNT9dEAAK9r6Z+wLSUuv9iER3AYfBBekEBFCzvwIMU","passwordIsInitial":false,"passwordIsKnown":true,"profile":"user","roleId":null,"super":false,"allTicket":false,"whatsappId":null,"online":false,"lastSeenAt":null,"tokenVersion":0,"firstStepsClosedAt":null,"createdAt":"2026-11-30T02:35:48.220813+00:00","updatedAt":"2026-11-30T02:35:48.220813+00:00","changeId":"774"}')
--> statement-breakpoint
INSERT INTO "users" ("id", "companyId", "name", "email", "passwordHash", "passwordIsInitial", "passwordIsKnown", "profile", "roleId", "super", "allTicket", "whatsappId", "online", "lastSeenAt", "tokenVersion", "firstStepsClosedAt", "createdAt", "updatedAt", "changeId") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "email", "passwordHash", "passwordIsInitial", "passwordIsKnown", "profile", "roleId", "super", "allTicket", "whatsappId", "online", "lastSeenAt", "tokenVersion", "firstStepsClosedAt", "createdAt", "updatedAt", "changeId" FROM json_populate_record(NULL::"users", '{"id":3,"companyId":3,"name":"User 15","email":"user-xomiw-15@example.com","passwordHash":"$argon2id$v=19$m=19456,t=2,p=1$sQf8YbHB+ywIzg6fjbobjRLy/xgus+Yg3biS2Vmb+PI$xcNT9dEAAK9r6Z+wLSUuv9iER3AYfBBekEBFCzvwIMU","passwordIsInitial":false,"passwordIsKnown":true,"profile":"admin","roleId":null,"super":false,"allTicket":true,"whatsappId":null,"online":true,"lastSeenAt":"2026-11-30T02:35:48.071+00:00","tokenVersion":1,"firstStepsClosedAt":null,"createdAt":"2026-11-30T02:35:48.380597+00:00","updatedAt":"2026-11-30T02:35:48.380597+00:00","changeId":"853"}')
--> statement-breakpoint
INSERT INTO "webhook_deliveries" ("id", "companyId", "webhookId", "eventId", "type", "payload", "state", "attempts", "tries", "nextAt", "lockedUntil", "deliveredAt", "createdAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "webhookId", "eventId", "type", "payload", "state", "attempts", "tries", "nextAt", "lockedUntil", "deliveredAt", "createdAt" FROM json_populate_record(NULL::"webhook_deliveries", '{"id":1,"companyId":2,"webhookId":1,"eventId":"alfa-secreto","type":"webhook.test","payload":"alfa-secreto","state":"failed","attempts":[],"tries":0,"nextAt":null,"lockedUntil":null,"deliveredAt":null,"createdAt":"2026-11-30T02:35:48.327029+00:00"}')
--> statement-breakpoint
INSERT INTO "webhook_deliveries" ("id", "companyId", "webhookId", "eventId", "type", "payload", "state", "attempts", "tries", "nextAt", "lockedUntil", "deliveredAt", "createdAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "webhookId", "eventId", "type", "payload", "state", "attempts", "tries", "nextAt", "lockedUntil", "deliveredAt", "createdAt" FROM json_populate_record(NULL::"webhook_deliveries", '{"id":2,"companyId":3,"webhookId":2,"eventId":"other","type":"webhook.test","payload":"other","state":"failed","attempts":[],"tries":0,"nextAt":null,"lockedUntil":null,"deliveredAt":null,"createdAt":"2026-11-30T02:35:48.429517+00:00"}')
--> statement-breakpoint
INSERT INTO "webhooks" ("id", "companyId", "url", "events", "queueIds", "secret", "active", "disabledReason", "failingSince", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "url", "events", "queueIds", "secret", "active", "disabledReason", "failingSince", "createdAt", "updatedAt" FROM json_populate_record(NULL::"webhooks", '{"id":1,"companyId":2,"url":"https://alfasecreto.invalid/alfa-secreto","events":["ticket.rated"],"queueIds":[],"secret":"ATtuAJ+EoSqM6+5TNo7z5OLAxEu434h4DIGGZ0TiUrrMcv5/f+I5NqkJsmpote2OhbG44Y0jHhHblBEzwuH51igtockHoiHIZT1E/hHhPiQLprjjROwpzlE/d6g=","active":false,"disabledReason":null,"failingSince":null,"createdAt":"2026-11-30T02:35:48.071+00:00","updatedAt":"2026-11-30T02:35:48.071+00:00"}')
--> statement-breakpoint
INSERT INTO "webhooks" ("id", "companyId", "url", "events", "queueIds", "secret", "active", "disabledReason", "failingSince", "createdAt", "updatedAt") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "url", "events", "queueIds", "secret", "active", "disabledReason", "failingSince", "createdAt", "updatedAt" FROM json_populate_record(NULL::"webhooks", '{"id":2,"companyId":3,"url":"https://other.invalid/other","events":["ticket.rated"],"queueIds":[],"secret":"AU0B/+Rf0qzN6CvCMeD0EA8skIZqYn9YRKrgCjg0FNJ4l6ByjtmRNY9EV4iuM12nATRcoOipyPmgNMxTW5cL97JhmP4SvBv2h4Fn43Y8XwzRNPZB8TEI5fsNLbg=","active":false,"disabledReason":null,"failingSince":null,"createdAt":"2026-11-30T02:35:48.071+00:00","updatedAt":"2026-11-30T02:35:48.071+00:00"}')
--> statement-breakpoint
INSERT INTO "whatsapp_queues" ("companyId", "whatsappId", "queueId") OVERRIDING SYSTEM VALUE SELECT "companyId", "whatsappId", "queueId" FROM json_populate_record(NULL::"whatsapp_queues", '{"companyId":2,"whatsappId":1,"queueId":1}')
--> statement-breakpoint
INSERT INTO "whatsapps" ("id", "companyId", "name", "number", "status", "qrcode", "retries", "isDefault", "token", "provider", "greetingMessage", "completionMessage", "outOfHoursMessage", "ratingMessage", "expiresInactiveMessage", "expiresTicket", "timeUseBotQueues", "maxUseBotQueues", "timeToTransfer", "transferQueueId", "integrationId", "promptId", "schedules", "wanted", "lastError", "newChatsLockedUntil", "newChatsLockKind", "newChatsQuota", "newChatsUsed", "newChatsCapState", "newChatsCycleEndsAt", "lastMessageInAt", "lastMessageOutAt", "connectedAt", "reusedIds", "reusedIdAt", "createdAt", "updatedAt", "changeId") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "number", "status", "qrcode", "retries", "isDefault", "token", "provider", "greetingMessage", "completionMessage", "outOfHoursMessage", "ratingMessage", "expiresInactiveMessage", "expiresTicket", "timeUseBotQueues", "maxUseBotQueues", "timeToTransfer", "transferQueueId", "integrationId", "promptId", "schedules", "wanted", "lastError", "newChatsLockedUntil", "newChatsLockKind", "newChatsQuota", "newChatsUsed", "newChatsCapState", "newChatsCycleEndsAt", "lastMessageInAt", "lastMessageOutAt", "connectedAt", "reusedIds", "reusedIdAt", "createdAt", "updatedAt", "changeId" FROM json_populate_record(NULL::"whatsapps", '{"id":1,"companyId":2,"name":"alfa-secreto connection","number":"","status":"CONNECTED","qrcode":"","retries":0,"isDefault":true,"token":"alfa-secreto-token","provider":"beta","greetingMessage":"","completionMessage":"","outOfHoursMessage":"","ratingMessage":"","expiresInactiveMessage":"","expiresTicket":0,"timeUseBotQueues":0,"maxUseBotQueues":3,"timeToTransfer":0,"transferQueueId":null,"integrationId":null,"promptId":null,"schedules":[],"wanted":false,"lastError":null,"newChatsLockedUntil":null,"newChatsLockKind":null,"newChatsQuota":null,"newChatsUsed":null,"newChatsCapState":null,"newChatsCycleEndsAt":null,"lastMessageInAt":null,"lastMessageOutAt":null,"connectedAt":null,"reusedIds":0,"reusedIdAt":null,"createdAt":"2026-11-30T02:35:48.208364+00:00","updatedAt":"2026-11-30T02:35:48.208364+00:00","changeId":"770"}')
--> statement-breakpoint
INSERT INTO "whatsapps" ("id", "companyId", "name", "number", "status", "qrcode", "retries", "isDefault", "token", "provider", "greetingMessage", "completionMessage", "outOfHoursMessage", "ratingMessage", "expiresInactiveMessage", "expiresTicket", "timeUseBotQueues", "maxUseBotQueues", "timeToTransfer", "transferQueueId", "integrationId", "promptId", "schedules", "wanted", "lastError", "newChatsLockedUntil", "newChatsLockKind", "newChatsQuota", "newChatsUsed", "newChatsCapState", "newChatsCycleEndsAt", "lastMessageInAt", "lastMessageOutAt", "connectedAt", "reusedIds", "reusedIdAt", "createdAt", "updatedAt", "changeId") OVERRIDING SYSTEM VALUE SELECT "id", "companyId", "name", "number", "status", "qrcode", "retries", "isDefault", "token", "provider", "greetingMessage", "completionMessage", "outOfHoursMessage", "ratingMessage", "expiresInactiveMessage", "expiresTicket", "timeUseBotQueues", "maxUseBotQueues", "timeToTransfer", "transferQueueId", "integrationId", "promptId", "schedules", "wanted", "lastError", "newChatsLockedUntil", "newChatsLockKind", "newChatsQuota", "newChatsUsed", "newChatsCapState", "newChatsCycleEndsAt", "lastMessageInAt", "lastMessageOutAt", "connectedAt", "reusedIds", "reusedIdAt", "createdAt", "updatedAt", "changeId" FROM json_populate_record(NULL::"whatsapps", '{"id":2,"companyId":3,"name":"Connection 17","number":"","status":"CONNECTED","qrcode":"","retries":0,"isDefault":true,"token":"01a22a4e-f923-706f-9095-bd2435d42876","provider":"beta","greetingMessage":"","completionMessage":"","outOfHoursMessage":"","ratingMessage":"","expiresInactiveMessage":"","expiresTicket":0,"timeUseBotQueues":0,"maxUseBotQueues":3,"timeToTransfer":0,"transferQueueId":null,"integrationId":null,"promptId":null,"schedules":[],"wanted":false,"lastError":null,"newChatsLockedUntil":null,"newChatsLockKind":null,"newChatsQuota":null,"newChatsUsed":null,"newChatsCapState":null,"newChatsCycleEndsAt":null,"lastMessageInAt":null,"lastMessageOutAt":null,"connectedAt":null,"reusedIds":0,"reusedIdAt":null,"createdAt":"2026-11-30T02:35:48.387815+00:00","updatedAt":"2026-11-30T02:35:48.387815+00:00","changeId":"829"}')
--> statement-breakpoint
SELECT setval('"announcements_id_seq"', 1)
--> statement-breakpoint
SELECT setval('"api_keys_id_seq"', 2)
--> statement-breakpoint
SELECT setval('"campaigns_id_seq"', 1)
--> statement-breakpoint
SELECT setval('"chats_id_seq"', 2)
--> statement-breakpoint
SELECT setval('"companies_id_seq"', 3)
--> statement-breakpoint
SELECT setval('"contact_aliases_id_seq"', 1)
--> statement-breakpoint
SELECT setval('"contact_list_items_id_seq"', 1)
--> statement-breakpoint
SELECT setval('"contact_lists_id_seq"', 1)
--> statement-breakpoint
SELECT setval('"contact_merges_id_seq"', 1)
--> statement-breakpoint
SELECT setval('"contacts_id_seq"', 2)
--> statement-breakpoint
SELECT setval('"file_list_options_id_seq"', 1)
--> statement-breakpoint
SELECT setval('"file_lists_id_seq"', 1)
--> statement-breakpoint
SELECT setval('"flow_campaigns_id_seq"', 2)
--> statement-breakpoint
SELECT setval('"flow_files_id_seq"', 2)
--> statement-breakpoint
SELECT setval('"flow_secrets_id_seq"', 2)
--> statement-breakpoint
SELECT setval('"flow_versions_id_seq"', 2)
--> statement-breakpoint
SELECT setval('"flows_id_seq"', 2)
--> statement-breakpoint
SELECT setval('"invoices_id_seq"', 1)
--> statement-breakpoint
SELECT setval('"opt_outs_id_seq"', 1)
--> statement-breakpoint
SELECT setval('"passkeys_id_seq"', 1)
--> statement-breakpoint
SELECT setval('"plans_id_seq"', 3)
--> statement-breakpoint
SELECT setval('"prompts_id_seq"', 2)
--> statement-breakpoint
SELECT setval('"push_subscriptions_id_seq"', 1)
--> statement-breakpoint
SELECT setval('"queue_integrations_id_seq"', 2)
--> statement-breakpoint
SELECT setval('"queue_options_id_seq"', 2)
--> statement-breakpoint
SELECT setval('"queues_id_seq"', 2)
--> statement-breakpoint
SELECT setval('"quick_messages_id_seq"', 1)
--> statement-breakpoint
SELECT setval('"roles_id_seq"', 1)
--> statement-breakpoint
SELECT setval('"segments_id_seq"', 1)
--> statement-breakpoint
SELECT setval('"sessions_id_seq"', 2)
--> statement-breakpoint
SELECT setval('"shippings_id_seq"', 1)
--> statement-breakpoint
SELECT setval('"tags_id_seq"', 1)
--> statement-breakpoint
SELECT setval('"templates_id_seq"', 1)
--> statement-breakpoint
SELECT setval('"ticket_trackings_id_seq"', 2)
--> statement-breakpoint
SELECT setval('"tickets_id_seq"', 2)
--> statement-breakpoint
SELECT setval('"users_id_seq"', 3)
--> statement-breakpoint
SELECT setval('"webhook_deliveries_id_seq"', 2)
--> statement-breakpoint
SELECT setval('"webhooks_id_seq"', 2)
--> statement-breakpoint
SELECT setval('"whatsapps_id_seq"', 2)
--> statement-breakpoint
RESET session_replication_role
