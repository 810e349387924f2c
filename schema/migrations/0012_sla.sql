CREATE TABLE "sla_clocks" (
	"id" text PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"ticketId" integer NOT NULL,
	"policyId" integer,
	"metric" text NOT NULL,
	"minutes" integer NOT NULL,
	"startedAt" timestamp with time zone NOT NULL,
	"runningSince" timestamp with time zone,
	"usedMs" bigint DEFAULT 0 NOT NULL,
	"pausedAt" timestamp with time zone,
	"pausedMs" bigint DEFAULT 0 NOT NULL,
	"riskAt" timestamp with time zone,
	"dueAt" timestamp with time zone,
	"nextAt" timestamp with time zone,
	"warnedAt" timestamp with time zone,
	"breachedAt" timestamp with time zone,
	"metAt" timestamp with time zone,
	"endedAt" timestamp with time zone,
	"tookMs" bigint
);
--> statement-breakpoint
CREATE TABLE "sla_policies" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"name" text NOT NULL,
	"position" integer NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"queueIds" integer[] DEFAULT '{}'::integer[] NOT NULL,
	"tagIds" integer[] DEFAULT '{}'::integer[] NOT NULL,
	"contactField" jsonb,
	"firstAnswer" integer,
	"nextAnswer" integer,
	"resolution" integer,
	"calendar" text DEFAULT 'company' NOT NULL,
	"warnAt" smallint DEFAULT 80 NOT NULL,
	"escalateUserIds" integer[] DEFAULT '{}'::integer[] NOT NULL,
	"escalateQueueId" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sla_states" (
	"ticketId" integer PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"policyId" integer,
	"serviceAt" timestamp with time zone,
	"answeredAt" timestamp with time zone,
	"waitingSince" timestamp with time zone,
	"isHeld" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "nextDueAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "nextDueMetric" text;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "nextRiskAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sla_clocks" ADD CONSTRAINT "sla_clocks_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sla_clocks" ADD CONSTRAINT "sla_clocks_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sla_clocks" ADD CONSTRAINT "sla_clocks_policyId_sla_policies_id_fk" FOREIGN KEY ("policyId") REFERENCES "public"."sla_policies"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sla_policies" ADD CONSTRAINT "sla_policies_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sla_policies" ADD CONSTRAINT "sla_policies_escalateQueueId_queues_id_fk" FOREIGN KEY ("escalateQueueId") REFERENCES "public"."queues"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sla_states" ADD CONSTRAINT "sla_states_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sla_states" ADD CONSTRAINT "sla_states_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sla_states" ADD CONSTRAINT "sla_states_policyId_sla_policies_id_fk" FOREIGN KEY ("policyId") REFERENCES "public"."sla_policies"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "sla_clocks_open" ON "sla_clocks" USING btree ("ticketId","metric") WHERE "sla_clocks"."endedAt" IS NULL;--> statement-breakpoint
CREATE INDEX "sla_clocks_ticket" ON "sla_clocks" USING btree ("ticketId","endedAt");--> statement-breakpoint
CREATE INDEX "sla_clocks_due" ON "sla_clocks" USING btree ("nextAt") WHERE "sla_clocks"."nextAt" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "sla_clocks_company" ON "sla_clocks" USING btree ("companyId","ticketId") WHERE "sla_clocks"."endedAt" IS NULL;--> statement-breakpoint
CREATE INDEX "sla_clocks_report" ON "sla_clocks" USING btree ("companyId","endedAt");--> statement-breakpoint
CREATE UNIQUE INDEX "sla_policies_name" ON "sla_policies" USING btree ("companyId","name");--> statement-breakpoint
CREATE INDEX "sla_policies_order" ON "sla_policies" USING btree ("companyId","position");--> statement-breakpoint
CREATE INDEX "tickets_due" ON "tickets" USING btree ("companyId","status","nextDueAt","updatedAt" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "tickets"."nextDueAt" IS NOT NULL;--> statement-breakpoint
CREATE FUNCTION webhook_sla_told() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_webhooks() THEN RETURN NULL; END IF;
  INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "ticketId", "data")
    SELECT n."companyId", e."type", n."ticketId"::text, n."ticketId", jsonb_build_object('changes', jsonb_build_object(
      'metric', n."metric", 'policyId', n."policyId", 'startedAt', n."startedAt", 'dueAt', n."dueAt"))
    FROM added n JOIN removed o ON o."id" = n."id"
    CROSS JOIN LATERAL (VALUES
      ('ticket.sla_warning', n."warnedAt" IS NOT NULL AND o."warnedAt" IS NULL),
      ('ticket.sla_breached', n."breachedAt" IS NOT NULL AND o."breachedAt" IS NULL)) AS e("type", "happened")
    WHERE e."happened" AND wants_webhook(n."companyId", e."type");
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "sla_clocks_webhook_changed" AFTER UPDATE ON "sla_clocks" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_sla_told();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "sla_policies_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "position", "active", "queueIds", "tagIds", "contactField", "firstAnswer", "nextAnswer", "resolution", "calendar", "warnAt", "escalateUserIds", "escalateQueueId" ON "sla_policies"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('slaPolicy', 'name,position,active,queueIds,tagIds,contactField,firstAnswer,nextAnswer,resolution,calendar,warnAt,escalateUserIds,escalateQueueId', '');
