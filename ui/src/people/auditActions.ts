/** The actions of the audit log in words. */
import type { MessageKey, Translate } from "../i18n";
import type { AuditEntry } from "./peopleApi";

const ACTIONS: Record<string, MessageKey> = {
  "account.disable": "people.audit.account.disable",
  "account.enable": "people.audit.account.enable",
  "account.export": "people.audit.account.export",
  "account.init": "people.audit.account.init",
  "account.join": "people.audit.account.join",
  "account.link": "people.audit.account.link",
  "account.remove": "people.audit.account.remove",
  "account.rename": "people.audit.account.rename",
  "conversation.share": "people.audit.conversation.share",
  "conversation.unshare": "people.audit.conversation.unshare",
  "group.add": "people.audit.group.add",
  "group.create": "people.audit.group.create",
  "group.leave": "people.audit.group.leave",
  "group.remove": "people.audit.group.remove",
  "group.rename": "people.audit.group.rename",
  "guest.begin": "people.audit.guest.begin",
  "invitation.accept": "people.audit.invitation.accept",
  "invitation.create": "people.audit.invitation.create",
  "invitation.revoke": "people.audit.invitation.revoke",
  "library.share": "people.audit.library.share",
  "library.unshare": "people.audit.library.unshare",
  "models.add": "people.audit.models.add",
  "models.choose": "people.audit.models.choose",
  "models.forget": "people.audit.models.forget",
  "models.provider": "people.audit.models.provider",
  "models.remove": "people.audit.models.remove",
  "password.change": "people.audit.password.change",
  "quota.reset": "people.audit.quota.reset",
  "quota.set": "people.audit.quota.set",
  "reset.create": "people.audit.reset.create",
  "reset.use": "people.audit.reset.use",
  "role.change": "people.audit.role.change",
  "session.end": "people.audit.session.end",
  "session.end_all": "people.audit.session.endAll",
  sign_in: "people.audit.signIn",
  "sign_in.fail": "people.audit.signIn.fail",
  sign_out: "people.audit.signOut",
  "token.create": "people.audit.token.create",
  "token.revoke": "people.audit.token.revoke",
};

/** Name an action; one that this page does not know is shown as the server names it. */
export function nameAction(t: Translate, action: string): string {
  const key = ACTIONS[action];
  return key ? t(key) : action;
}

/** Words for values in the details of an entry: the roles, and what people may do with a library. */
const VALUES: Record<string, MessageKey> = {
  guest: "people.role.guest",
  member: "people.role.member",
  owner: "people.role.owner",
  "access.owner": "people.audit.access.owner",
  "access.reader": "people.audit.access.reader",
  "access.writer": "people.audit.access.writer",
};

/** Describe what an action was done to: the person if it was somebody else, the thing, and what it became. */
export function describeTarget(t: Translate, entry: AuditEntry): string {
  const { actor, whose, whose_name, target_name, receiver_name, details } = entry;
  const person = whose !== actor ? whose_name : "";
  // A library is named by the entry itself; other targets are ids, which say nothing to a person.
  const thing = entry.action.startsWith("library.") ? entry.target : target_name;
  const read = (name: string, family = "") => {
    const value = details[name];
    if (value === undefined) return "";
    const key = VALUES[`${family}${value}`];
    return key ? t(key) : String(value);
  };
  const change = read("after") ? `${read("before")} → ${read("after")}` : read("access", "access.");
  return [person, thing, receiver_name, change].filter(Boolean).join(" · ");
}
