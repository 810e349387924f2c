CREATE TABLE "backup_runs" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"work" text NOT NULL,
	"name" text NOT NULL,
	"error" text,
	"rows" bigint,
	"files" integer,
	"bytes" bigint,
	"startedAt" timestamp with time zone NOT NULL,
	"endedAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "lockedBy" text;--> statement-breakpoint
CREATE INDEX "backup_runs_work" ON "backup_runs" USING btree ("work","endedAt" DESC NULLS LAST);