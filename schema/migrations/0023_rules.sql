CREATE TABLE "rule_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"ruleId" integer NOT NULL,
	"version" integer NOT NULL,
	"ticketId" integer NOT NULL,
	"eventId" text NOT NULL,
	"trigger" text NOT NULL,
	"root" text NOT NULL,
	"depth" smallint NOT NULL,
	"result" text NOT NULL,
	"met" jsonb NOT NULL,
	"outcome" jsonb NOT NULL,
	"messageId" text,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rules" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"name" text NOT NULL,
	"position" integer NOT NULL,
	"active" boolean DEFAULT false NOT NULL,
	"activeSince" timestamp with time zone,
	"trigger" text NOT NULL,
	"minutes" integer,
	"byPeople" boolean DEFAULT false NOT NULL,
	"match" text DEFAULT 'all' NOT NULL,
	"conditions" jsonb NOT NULL,
	"actions" jsonb NOT NULL,
	"stopOnMatch" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "rule_runs" ADD CONSTRAINT "rule_runs_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rule_runs" ADD CONSTRAINT "rule_runs_ruleId_rules_id_fk" FOREIGN KEY ("ruleId") REFERENCES "public"."rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rule_runs" ADD CONSTRAINT "rule_runs_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rules" ADD CONSTRAINT "rules_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "rule_runs_rule" ON "rule_runs" USING btree ("ruleId","createdAt" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "rule_runs_ticket" ON "rule_runs" USING btree ("ticketId","createdAt" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "rule_runs_swept" ON "rule_runs" USING btree ("result","createdAt");--> statement-breakpoint
CREATE INDEX "rules_order" ON "rules" USING btree ("companyId","position");--> statement-breakpoint
CREATE INDEX "rules_active" ON "rules" USING btree ("companyId","trigger") WHERE "rules"."active";--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "rules_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "active", "trigger", "minutes", "byPeople", "match", "conditions", "actions", "stopOnMatch" ON "rules"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('rule', 'name,active,trigger,minutes,byPeople,match,conditions,actions,stopOnMatch', '');
