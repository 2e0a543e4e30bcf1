/** The requests of the owner's page. */
import { server, unwrap } from "../api/client";
import type { components } from "../api/schema";
import type { PeopleUsage } from "./monthlyUsage";

type Schemas = components["schemas"];

export type Person = Schemas["ListedPerson"];
export type Role = Person["role"];
export type Session = Schemas["SessionInfo"];
export type Token = Schemas["TokenInfo"];
export type Invitation = Schemas["Invitation"];
export type Group = Schemas["PeopleGroup"];
export type AuditEntry = Schemas["AuditLine"];
/** A link that is shown once: what it opens works until `expires`. */
export type MadeLink = Schemas["ResetLink"];

const one = (person: string) => ({ params: { path: { person } } });

/** Load everybody with an account, perhaps with the guests who came without an invitation. */
export const loadPeople = async (guests: boolean, signal: AbortSignal): Promise<Schemas["People"]> =>
  unwrap(await server.GET("/api/people", { params: { query: { guests } }, signal }));

/** Change the role of a person, or disable their account. */
export const changePerson = async (person: string, body: { role?: Role; disabled?: boolean }): Promise<unknown> =>
  server.PATCH("/api/people/{person}", { ...one(person), body });

/** Remove a person with all that belongs to them. */
export const removePerson = async (person: string): Promise<unknown> =>
  server.DELETE("/api/people/{person}", one(person));

/** Make a link with which a person sets a new password. */
export const makeResetLink = async (person: string): Promise<MadeLink> =>
  unwrap(await server.POST("/api/people/{person}/reset", one(person)));

/** Set the credits of a person in a month; null is no limit. */
export const setQuota = async (person: string, credits: number | null): Promise<unknown> =>
  server.PUT("/api/people/{person}/quota", { ...one(person), body: { credits } });

/** Give a person the credits of their role again. */
export const resetQuota = async (person: string): Promise<unknown> =>
  server.DELETE("/api/people/{person}/quota", one(person));

/** Load where a person is signed in, and their tokens. */
export async function loadAccess(
  person: string,
  signal: AbortSignal,
): Promise<{ sessions: Session[]; tokens: Token[] }> {
  const [{ sessions }, { tokens }] = await Promise.all([
    server.GET("/api/people/{person}/sessions", { ...one(person), signal }).then(unwrap),
    server.GET("/api/people/{person}/tokens", { ...one(person), signal }).then(unwrap),
  ]);
  return { sessions, tokens };
}

/** Sign a person out everywhere. */
export const endSessions = async (person: string): Promise<unknown> =>
  server.DELETE("/api/people/{person}/sessions", one(person));

/** Revoke a token of a person. */
export const revokeToken = async (person: string, token: string): Promise<unknown> =>
  server.DELETE("/api/people/{person}/tokens/{token}", { params: { path: { person, token } } });

/** Load the invitations that nobody has used yet. */
export const loadInvitations = async (signal: AbortSignal): Promise<Invitation[]> =>
  unwrap(await server.GET("/api/invitations", { signal })).invitations;

/** Make an invitation; its link is shown once. */
export const invite = async (email: string, role: Role): Promise<Schemas["MadeInvitation"]> =>
  unwrap(await server.POST("/api/invitations", { body: { role, email } }));

/** Take an invitation back. */
export const revokeInvitation = async (invitation: string): Promise<unknown> =>
  server.DELETE("/api/invitations/{invitation}", { params: { path: { invitation } } });

/** Load the groups with their members. */
export const loadGroups = async (signal: AbortSignal): Promise<Group[]> =>
  unwrap(await server.GET("/api/groups", { signal })).groups;

/** Load the names of the people and groups with whom something can be shared. */
export const loadDirectory = async (signal: AbortSignal): Promise<Schemas["Directory"]> =>
  unwrap(await server.GET("/api/directory", { signal }));

/** Make an empty group. */
export const makeGroup = async (name: string): Promise<unknown> => server.POST("/api/groups", { body: { name } });

/** Rename a group. */
export const renameGroup = async (group: string, name: string): Promise<unknown> =>
  server.PATCH("/api/groups/{group}", { params: { path: { group } }, body: { name } });

/** Remove a group; its members stay. */
export const removeGroup = async (group: string): Promise<unknown> =>
  server.DELETE("/api/groups/{group}", { params: { path: { group } } });

/** Add a person to a group. */
export const addMember = async (group: string, person: string): Promise<unknown> =>
  server.PUT("/api/groups/{group}/members/{person}", { params: { path: { group, person } } });

/** Remove a person from a group. */
export const removeMember = async (group: string, person: string): Promise<unknown> =>
  server.DELETE("/api/groups/{group}/members/{person}", { params: { path: { group, person } } });

/** Load the used credits by person in the last months. */
export const loadPeopleUsage = async (months: number, signal: AbortSignal): Promise<PeopleUsage> =>
  unwrap(await server.GET("/api/people/usage", { params: { query: { months } }, signal }));

/** Load entries of the audit log, the latest first: of one person if `person` is given, older than `before`. */
export const loadAudit = async (
  query: { person?: string; before?: number; limit: number },
  signal: AbortSignal,
): Promise<Schemas["AuditPage"]> => unwrap(await server.GET("/api/audit", { params: { query }, signal }));
