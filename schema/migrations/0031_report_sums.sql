ALTER TABLE "report_services" ADD COLUMN "tagIds" integer[] DEFAULT '{}'::integer[] NOT NULL;--> statement-breakpoint
ALTER TABLE "report_services" ADD COLUMN "received" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_services" ADD COLUMN "sent" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_services" ADD COLUMN "automatic" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_services" ADD COLUMN "firstHourAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "report_services" ADD COLUMN "lastHourAt" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "report_services_said" ON "report_services" USING btree ("companyId","lastHourAt");