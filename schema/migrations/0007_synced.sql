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
