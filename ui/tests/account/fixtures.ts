import type { AccountInfo, Person } from "../../src/account/accountStore";

/** A person with this id. */
export const makePerson = (id: string, role: Person["role"] = "member"): Person => ({
  id,
  name: `Person ${id}`,
  email: "",
  role,
  disabled: false,
  created: 1,
});

/** What the server says while a person is signed in, or nobody. */
export const makeInfo = (person: Person | null, more: Partial<AccountInfo> = {}): AccountInfo => ({
  mode: "team",
  guests: false,
  issuer: false,
  password_length: 12,
  person,
  scopes: person ? ["read", "ask", "write"] : [],
  session: person ? `session of ${person.id}` : "",
  ...more,
});
