CREATE TABLE "report_hours" (
	"trackingId" integer NOT NULL,
	"companyId" integer NOT NULL,
	"hourAt" timestamp with time zone NOT NULL,
	"authorId" integer NOT NULL,
	"whatsappId" integer,
	"queueId" integer,
	"userId" integer,
	"received" integer NOT NULL,
	"sent" integer NOT NULL,
	"automatic" integer NOT NULL,
	CONSTRAINT "report_hours_trackingId_hourAt_authorId_pk" PRIMARY KEY("trackingId","hourAt","authorId")
);
--> statement-breakpoint
CREATE TABLE "report_schedules" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"userId" integer,
	"name" text NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"report" text NOT NULL,
	"query" jsonb NOT NULL,
	"every" text NOT NULL,
	"hour" smallint NOT NULL,
	"format" text NOT NULL,
	"userIds" integer[] NOT NULL,
	"nextAt" timestamp with time zone NOT NULL,
	"sentAt" timestamp with time zone,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "report_services" (
	"trackingId" integer PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"ticketId" integer NOT NULL,
	"whatsappId" integer,
	"queueId" integer,
	"userId" integer,
	"openedAt" timestamp with time zone NOT NULL,
	"answeredAt" timestamp with time zone,
	"closedAt" timestamp with time zone,
	"isReopened" boolean NOT NULL,
	"outcome" text NOT NULL,
	"answerSeconds" integer,
	"answerOpenSeconds" integer,
	"closeSeconds" integer,
	"closeOpenSeconds" integer,
	"askedAt" timestamp with time zone,
	"ratedAt" timestamp with time zone,
	"rate" smallint,
	"comment" text,
	"botAt" timestamp with time zone,
	"flowId" integer,
	"flowVersion" integer,
	"botEnd" text
);
--> statement-breakpoint
CREATE TABLE "report_stale" (
	"companyId" integer NOT NULL,
	"ticketId" integer NOT NULL,
	CONSTRAINT "report_stale_companyId_ticketId_pk" PRIMARY KEY("companyId","ticketId")
);
--> statement-breakpoint
CREATE TABLE "report_states" (
	"companyId" integer PRIMARY KEY NOT NULL,
	"facts" integer NOT NULL,
	"timeZone" text NOT NULL,
	"origin" text NOT NULL,
	"change" bigint NOT NULL,
	"countedAt" timestamp with time zone NOT NULL,
	"askedAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "report_views" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"userId" integer,
	"name" text NOT NULL,
	"isShared" boolean DEFAULT false NOT NULL,
	"report" text NOT NULL,
	"query" jsonb NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ratings" ADD COLUMN "commentAskedAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "ratings" ADD COLUMN "comment" text;--> statement-breakpoint
ALTER TABLE "ticket_trackings" ADD COLUMN "queueId" integer;--> statement-breakpoint
ALTER TABLE "report_hours" ADD CONSTRAINT "report_hours_trackingId_ticket_trackings_id_fk" FOREIGN KEY ("trackingId") REFERENCES "public"."ticket_trackings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_hours" ADD CONSTRAINT "report_hours_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_schedules" ADD CONSTRAINT "report_schedules_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_schedules" ADD CONSTRAINT "report_schedules_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_services" ADD CONSTRAINT "report_services_trackingId_ticket_trackings_id_fk" FOREIGN KEY ("trackingId") REFERENCES "public"."ticket_trackings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_services" ADD CONSTRAINT "report_services_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_stale" ADD CONSTRAINT "report_stale_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_states" ADD CONSTRAINT "report_states_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_views" ADD CONSTRAINT "report_views_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_views" ADD CONSTRAINT "report_views_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "report_hours_period" ON "report_hours" USING btree ("companyId","hourAt");--> statement-breakpoint
CREATE INDEX "report_schedules_due" ON "report_schedules" USING btree ("nextAt") WHERE "report_schedules"."active";--> statement-breakpoint
CREATE INDEX "report_schedules_company" ON "report_schedules" USING btree ("companyId");--> statement-breakpoint
CREATE INDEX "report_services_period" ON "report_services" USING btree ("companyId",coalesce("closedAt", 'infinity'::timestamptz),"openedAt");--> statement-breakpoint
CREATE INDEX "report_services_ticket" ON "report_services" USING btree ("ticketId");--> statement-breakpoint
CREATE INDEX "report_services_running" ON "report_services" USING btree ("companyId") WHERE "report_services"."botEnd" = 'running';--> statement-breakpoint
CREATE INDEX "report_services_rated" ON "report_services" USING btree ("companyId","ratedAt") WHERE "report_services"."ratedAt" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "report_views_company" ON "report_views" USING btree ("companyId","name");--> statement-breakpoint
CREATE INDEX "ratings_range" ON "ratings" USING btree ("companyId","createdAt");
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "report_views_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "isShared", "report", "query" ON "report_views"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('reportView', 'name,isShared,report,query', '');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "report_schedules_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "active", "report", "query", "every", "hour", "format", "userIds" ON "report_schedules"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('reportSchedule', 'name,active,report,query,every,hour,format,userIds', '');
--> statement-breakpoint
-- Where the last service of a ticket ended, as far as its ticket still knows.
UPDATE "ticket_trackings" s SET "queueId" = t."queueId" FROM "tickets" t
WHERE t."id" = s."ticketId" AND s."finishedAt" IS NOT NULL AND t."queueId" IS NOT NULL
  AND NOT EXISTS (SELECT FROM "ticket_trackings" n WHERE n."ticketId" = s."ticketId" AND n."id" > s."id");
