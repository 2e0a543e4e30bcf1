import type { MessageKey } from "../i18n";
import type { Person, Scope } from "./accountStore";

/** The words for the roles of people. */
export const ROLE_WORDS: Record<Person["role"], MessageKey> = {
  owner: "account.role.owner",
  member: "account.role.member",
  guest: "account.role.guest",
};

/** What each scope of a token allows. */
export const SCOPE_WORDS: Record<Scope, MessageKey> = {
  read: "account.scope.read",
  ask: "account.scope.ask",
  write: "account.scope.write",
  admin: "account.scope.admin",
};
