-- A message, a note and a timeline row repeat their ticket's queue and user, so that a shape can decide by columns
-- of its own table who gets them. Only these triggers write the copies.
CREATE FUNCTION copy_ticket_scope() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT "queueId", "userId" INTO NEW."queueScope", NEW."userScope" FROM "tickets" WHERE "id" = NEW."ticketId";
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER "messages_scope" BEFORE INSERT OR UPDATE OF "ticketId" ON "messages" FOR EACH ROW EXECUTE FUNCTION copy_ticket_scope();
--> statement-breakpoint
CREATE TRIGGER "ticket_notes_scope" BEFORE INSERT OR UPDATE OF "ticketId" ON "ticket_notes" FOR EACH ROW EXECUTE FUNCTION copy_ticket_scope();
--> statement-breakpoint
CREATE TRIGGER "ticket_events_scope" BEFORE INSERT OR UPDATE OF "ticketId" ON "ticket_events" FOR EACH ROW EXECUTE FUNCTION copy_ticket_scope();
--> statement-breakpoint
CREATE FUNCTION spread_ticket_scope() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "messages" SET "queueScope" = NEW."queueId", "userScope" = NEW."userId" WHERE "ticketId" = NEW."id";
  UPDATE "ticket_notes" SET "queueScope" = NEW."queueId", "userScope" = NEW."userId" WHERE "ticketId" = NEW."id";
  UPDATE "ticket_events" SET "queueScope" = NEW."queueId", "userScope" = NEW."userId" WHERE "ticketId" = NEW."id";
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "tickets_scope" AFTER UPDATE ON "tickets" FOR EACH ROW
  WHEN (OLD."queueId" IS DISTINCT FROM NEW."queueId" OR OLD."userId" IS DISTINCT FROM NEW."userId")
  EXECUTE FUNCTION spread_ticket_scope();
--> statement-breakpoint
-- A chat repeats the ids of its members, and its messages repeat the chat's, for the same reason. The members are in
-- chat_users; the owner is always one of them, and a chat without any is no more.
CREATE FUNCTION spread_chat_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "chats" c WHERE c."id" IN (SELECT "chatId" FROM changed)
    AND NOT EXISTS (SELECT FROM "chat_users" u WHERE u."chatId" = c."id");
  UPDATE "chats" c
    SET "members" = ',' || array_to_string(m."ids", ',') || ',',
        "ownerId" = CASE WHEN c."ownerId" = ANY (m."ids") THEN c."ownerId" ELSE m."ids"[1] END
    FROM (
      SELECT "chatId", array_agg("userId" ORDER BY "userId") AS "ids" FROM "chat_users"
      WHERE "chatId" IN (SELECT "chatId" FROM changed) GROUP BY "chatId"
    ) m
    WHERE c."id" = m."chatId";
  UPDATE "chat_messages" x SET "members" = c."members" FROM "chats" c
    WHERE c."id" IN (SELECT "chatId" FROM changed) AND x."chatId" = c."id" AND x."members" <> c."members";
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
  SELECT "members" INTO NEW."members" FROM "chats" WHERE "id" = NEW."chatId";
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
-- What a message is found by: six letters or digits in a row, from each place of its words where at least three are
-- left; at the end of a word as many as there are. A text of up to six stands in a message if, and only if, one of these
-- begins with it. A long text is taken in parts, because a letter is found in it by counting from its beginning, and no
-- further than a tsvector can hold. Not declared safe for parallel plans: starting workers takes longer than a search.
CREATE FUNCTION word_pieces(text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  folded text := left(public.plain($1), 100000);
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
-- The list of what is unread: of all that is open it is little.
CREATE INDEX "tickets_unread" ON "tickets" ("companyId", "updatedAt" DESC NULLS LAST, "id" DESC NULLS LAST) WHERE "unreadMessages" > 0;
--> statement-breakpoint
CREATE INDEX "contacts_search" ON "contacts" USING gin (plain("name") gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "contacts_number_search" ON "contacts" USING gin ("number" gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "contacts_email_search" ON "contacts" USING gin (lower("email") gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "messages_search" ON "messages" USING gin (word_pieces("body")) WHERE "mediaType" = 'chat';
--> statement-breakpoint
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
