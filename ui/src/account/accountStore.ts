/** Who is signed in. Without accounts ("local" mode) everybody may do everything and nothing is asked. */
import { waitForRetry } from "../api/backoff";
import type { components } from "../api/schema";
import { forgetPerson, removePersonalItems, storageOwner } from "../state/personalData";
import { createStore, type Store, useStore } from "../state/store";
import { carryOutRemovals } from "../state/undoableRemoval";
import * as accountApi from "./accountApi";

type Schemas = components["schemas"];

export type AccountInfo = Schemas["AccountInfo"];
export type Person = Schemas["Person"];
export type Scope = AccountInfo["scopes"][number];

/** What the sign-in form says first: why nobody is signed in, or what was just done. */
export type Notice = "" | "ended" | "left" | "reset" | "deleted";

export interface AccountState extends AccountInfo {
  /** Whether the server has said who is signed in. */
  isKnown: boolean;
  /** Whether the server did not answer the first time it was asked. */
  isDown: boolean;
  notice: Notice;
  /** The name of the person whose session has ended, for the sign-in form. */
  lastName: string;
}

export type AccountChange = "entered" | "left" | "ended";

export interface AccountStore extends Store<AccountState> {
  /** Ask the server who is signed in, until it answers. */
  start: () => Promise<void>;
  /** Ask the server who is signed in. If it does not answer, everything stays. */
  check: () => Promise<void>;
  /** Take over what the server said about the account after a sign-in. */
  enter: (info: AccountInfo) => void;
  /** Sign out in all tabs of this browser. */
  signOut: () => Promise<void>;
  /** Delete the account on the server, and sign out in all tabs of this browser. */
  deleteAccount: (password: string) => Promise<void>;
  /** Show in all tabs that nobody is signed in any more, and why. Drafts of the person are removed. */
  leave: (notice: Notice) => void;
  /** Say something with the next sign-in form. */
  setNotice: (notice: Notice) => void;
  /** Call the listener when this tab signs somebody in or out, or finds that the session has ended. Returns how to stop. */
  onChange: (listener: (change: AccountChange) => void) => () => void;
}

const ALL_SCOPES: Scope[] = ["read", "ask", "write", "admin"];

/** Create the store of a server with or without accounts, as its page says. */
export function createAccountStore(mode: AccountInfo["mode"]): AccountStore {
  const store = createStore<AccountState>({
    mode,
    isKnown: mode === "local",
    isDown: false,
    guests: false,
    issuer: false,
    password_length: 0,
    person: null,
    scopes: mode === "local" ? ALL_SCOPES : [],
    session: "",
    notice: "",
    lastName: "",
  });
  const listeners = new Set<(change: AccountChange) => void>();
  const announce = (change: AccountChange) => {
    for (const listener of listeners) listener(change);
  };
  // An answer that was asked for before the last change is out of date.
  let changes = 0;
  let running: Promise<void> | null = null;
  let isStale = false;
  let isLeaving = false;

  /** Show what the server said. Returns whether the person who was signed in is not any more. */
  const apply = (info: AccountInfo, notice: Notice): boolean => {
    const before = store.get();
    if (info.mode === "local" && before.mode === "local") return false;
    const isGone = before.person !== null && before.person.id !== info.person?.id;
    const lastName = before.person && before.person.role !== "guest" ? before.person.name : before.lastName;
    store.set({
      ...info,
      isKnown: true,
      isDown: false,
      notice: info.person ? "" : isGone ? notice : before.notice,
      lastName,
    });
    if (isGone) forgetPerson();
    if (info.mode === "team" && info.person) storageOwner.set(info.person.id);
    return isGone;
  };

  const ask = async () => {
    do {
      isStale = false;
      const turn = changes;
      const info = await accountApi.loadAccount();
      if (turn === changes && !isLeaving && apply(info, "ended")) announce("ended");
    } while (isStale);
  };

  const check = () => {
    if (running) isStale = true;
    running ??= ask()
      .catch(() => store.set((now) => (now.isKnown ? now : { ...now, isDown: true })))
      .finally(() => {
        running = null;
      });
    return running;
  };

  const leave = (notice: Notice) => {
    changes++;
    const { person } = store.get();
    apply({ ...store.get(), person: null, scopes: [], session: "" }, notice);
    if (person) removePersonalItems(() => sessionStorage, person.id);
    store.set((now) => ({ ...now, notice, lastName: "" }));
    announce("left");
  };

  /**
   * Send a request that ends the session, and leave. The server ends this session's streams before it answers, so a
   * check may run meanwhile: it changes nothing.
   */
  const leaveAfter = async (request: () => Promise<void>, notice: Notice) => {
    isLeaving = true;
    try {
      await request();
      leave(notice);
    } catch (error) {
      void check();
      throw error;
    } finally {
      isLeaving = false;
    }
  };

  return {
    ...store,
    async start() {
      const { signal } = new AbortController();
      await check();
      for (let attempt = 0; !store.get().isKnown; attempt++) {
        await waitForRetry(attempt, signal);
        await check();
      }
    },
    check,
    enter(info) {
      changes++;
      apply(info, "");
      announce("entered");
    },
    async signOut() {
      await carryOutRemovals();
      await leaveAfter(accountApi.signOut, "left");
    },
    async deleteAccount(password) {
      const { person } = store.get();
      await leaveAfter(async () => {
        await accountApi.deleteAccount(password);
        if (person) removePersonalItems(() => localStorage, person.id);
      }, "deleted");
    },
    leave,
    setNotice: (notice) => store.set((now) => ({ ...now, notice })),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The server marks its page, so that the first paint does not wait for an answer. */
export const accountStore = createAccountStore(document.documentElement.dataset.accounts === "team" ? "team" : "local");

/** Return whether the person may do what a scope allows; always true without accounts. */
export function useMay(scope: Scope): boolean {
  return useStore(accountStore).scopes.includes(scope);
}
