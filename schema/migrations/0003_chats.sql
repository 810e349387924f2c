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
