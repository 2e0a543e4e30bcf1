import type { MessageKey } from "../i18n";
import type { Role } from "./peopleApi";

export const ROLES = ["member", "owner", "guest"] as const satisfies readonly Role[];

/** The names of the roles. */
export const ROLE_NAMES: Record<Role, MessageKey> = {
  owner: "people.role.owner",
  member: "people.role.member",
  guest: "people.role.guest",
};

/** What people in a role may do. */
export const ROLE_MEANINGS: Record<Role, MessageKey> = {
  owner: "people.role.owner.may",
  member: "people.role.member.may",
  guest: "people.role.guest.may",
};
