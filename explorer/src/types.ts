/** What the API answers, by the page's names for the schemas of its document, and what is answered to the page alone. */
import type * as api from '../../clients/typescript/src/schema.ts';

export type {
  Change, CompanyMatch as CompanyCard, Evidence, Match, Opportunity, PathsCoverage as Coverage, Person,
  PersonMatch as PersonHit, Prospect as PersonCard, Reason, TermMatch as Matched, Tie, UnderstoodTerm as Understood, WarmPath,
} from '../../clients/typescript/src/schema.ts';

export type PathType = api.WarmPath['connectionType'];
export const PATH_TYPES: readonly PathType[] = ['direct', 'advocate', 'second_degree', 'advocate_second_degree'];

export type Breakdown = Record<string, unknown>;
export type Asked = Pick<api.Prospect, 'introRequested' | 'introStatus' | 'introRequestedBy' | 'introRequestedAt'>;
/** A person in any list of a network. */
export type Listed = api.Contact & Partial<api.Known & api.Reached>;

export type PathPage = api.WarmPaths;
export type ContactPage = Omit<api.Connections, 'connections'> & { connections: Listed[] };
export type BehindPage = Omit<api.SecondDegree, 'connections'> & { connections: Listed[] };
/** People whom a text fits, with the fields of a page. */
export type PeoplePage = api.PeopleAnswer & { totalCount: number; hasMore: boolean };
export type NetworkPage = Omit<api.Network, 'connections'> & { connections: Listed[] };
export type OpportunityPage = api.Opportunities;
export type NetworkAnswer = api.NetworkSearchAnswer;
export type BatchEntry = api.BatchResult;
export type BatchAnswer = api.WarmPathsBatchAnswer;
export type ChangePage = api.Changes;
export type ChangeKind = api.Change['kind'];
/** The best way, a company, or a position; which of them the kind says. */
export type ChangedValue = NonNullable<api.Change['before']>;

export interface Session {
  organization: { id: string; name: string };
  member?: { userId: string; personId: string; name: string };
  /** Whether the server has the report of the import behind the network. */
  report?: boolean;
  /** Whether this member may add exports to that import. */
  adds?: boolean;
  /** Whether there are opportunities, and whether anybody is known behind this member's contacts. */
  opportunities?: boolean;
  behind?: boolean;
  /** Whether anything says when people last were in contact. */
  quiet?: boolean;
  /** Whether this member can have people forgotten. */
  forgets?: boolean;
  /** Whether this member can make links for colleagues. */
  invites?: boolean;
  /** Whether asks are kept, and whether this member may write them. */
  asks?: 'read' | 'write';
  /** Whether members see their tokens here. */
  tokens?: boolean;
  /** The origins whose pictures are shown as marks of companies. */
  logoHosts?: string[];
  /** Whether members may have a feed. */
  feeds?: boolean;
  /** The generation in service, and the one before it if the server keeps it. */
  generation: number;
  before: number | null;
}

/** A colleague who is in the network (`who`), or brings exports (`part`): how many, and until when their link holds. */
export interface Colleague { who?: string; name: string; as: string; part?: string; files?: number; bytes?: number; lastAt?: string; linkEndsAt?: string }

/** A token of the member who is logged in. */
export interface OwnToken { id: string; scope: string; createdAt: string; expiresAt: string; lastFour: string; lastUsed?: string }
/** Their tokens that hold, and whether they may make one. */
export interface OwnTokens { tokens: OwnToken[]; makes: boolean }

/** An ask for an introduction, as a service with asks answers it. */
export interface Ask {
  id: string; person: Named; connector?: Named; viaAdvocate?: Named; state: string; open: boolean;
  askedBy: { userId: string; name: string }; askedAt: string; changedAt: string; warmness?: number;
}
interface Named { id: string; name: string }
export interface AskPage { asks: Ask[]; totalCount: number; hasMore: boolean; nextOffset?: number }
/** How many asks got how far, and the share of each kind with its interval. */
export interface AskCounts extends Record<'asked' | 'agreed' | 'introduced' | 'in_touch' | 'met' | 'declined' | 'no_answer', number> {
  key: string; shares?: Record<string, [number, number, number]>;
}
export type AskReport = Record<'all' | 'connectionType' | 'band' | 'month' | 'connector', AskCounts[]>;
/** Whom to ask now, whom later, and of whom not, by the place in the list. */
export interface Plan {
  now: { index: number; path: api.WarmPath }[];
  later: { index: number; path: api.WarmPath; after: string }[];
  never: { index: number; reason: string }[];
}
/** What `include=asks` adds to a path. */
export interface Marks {
  asks?: { open: number; recent: number; coolUntil?: string };
  preference?: { rule: string; through?: Named; until?: string };
}

/** Strong ties without contact for a year: the first hundred, and how many there are. */
export interface QuietTies {
  ties: { person: api.Prospect; userId: string; userName: string; warmness: number; lastContact: string; quietDays: number }[];
  totalCount: number;
}

/** The rows of the imported files that a person comes from, and how each came to them. */
export interface PersonRows { rows: { file: string; line: number; rule: string }[]; totalCount: number }

/** A person of a pair that may be one, and the first rows that they come from. */
export interface DoubleSide {
  id: string; name: string; position?: string; company?: string; linkedinId?: string;
  rows: { file: string; line: number; name: string }[]; rowsLeft: number;
}
/** Two people who may be one, why, and how warm the ties of those who know both are and would be. */
export interface Double {
  a: DoubleSide; b: DoubleSide; score: number; reasons: string[];
  ties: { name: string; a: number; b: number; joined: number }[];
}
export interface DoublesAnswer {
  found: { doubles: Double[]; doublesLeft: number };
  answers: { a: string; b: string; answer: 'same' | 'apart' }[];
  untied: { people: string[] }[];
}

interface Rows { read: number; used: number; merged: number; skipped: number }
export interface ImportReport {
  files: ({ file: string; format: string; skips: { line: number; reason: string }[]; skipsLeft?: number; fault?: string } & Rows)[];
  filesLeft?: number;
  /** How many rows were skipped for which reason, if not all are listed. */
  reasons?: { reason: string; rows: number }[];
  totals: Rows & { doubles?: number };
  asOf: string;
  network: {
    people: number; members: number; advocates: number; reached: number; edges: number;
    withHandle: number; withEmail: number; withCompany: number;
  };
  notes: { file?: string; line?: number; note: string }[];
  notesLeft?: number;
}
