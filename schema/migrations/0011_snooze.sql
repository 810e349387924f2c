ALTER TABLE "tickets" ADD COLUMN "snoozedUntil" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "snoozeKeep" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "snoozeNote" text;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "snoozedBy" integer;--> statement-breakpoint
CREATE INDEX "tickets_snoozed" ON "tickets" USING btree ("snoozedUntil","id") WHERE "tickets"."snoozedUntil" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "tickets_aside" ON "tickets" USING btree ("companyId","updatedAt" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "tickets"."snoozedUntil" IS NOT NULL;