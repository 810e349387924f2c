CREATE TABLE "cloud_history" (
	"id" uuid PRIMARY KEY NOT NULL,
	"whatsappId" integer NOT NULL,
	"body" "bytea" NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "templateId" integer;--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "templateValues" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "edits" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "cloud_numbers" ADD COLUMN "historyState" text;--> statement-breakpoint
ALTER TABLE "cloud_numbers" ADD COLUMN "historyProgress" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "cloud_numbers" ADD COLUMN "historyCount" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "cloud_numbers" ADD COLUMN "historyAskedAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "cloud_history" ADD CONSTRAINT "cloud_history_whatsappId_whatsapps_id_fk" FOREIGN KEY ("whatsappId") REFERENCES "public"."whatsapps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cloud_history_waiting" ON "cloud_history" USING btree ("whatsappId","id");