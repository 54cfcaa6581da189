/** What the API answers, as far as the page reads it; `docs/explorer.md` says where the rest is described. */

export type PathType = 'direct' | 'advocate' | 'second_degree' | 'advocate_second_degree';
export const PATH_TYPES: readonly PathType[] = ['direct', 'advocate', 'second_degree', 'advocate_second_degree'];

export type Breakdown = Record<string, unknown>;

export interface Asked {
  introRequested?: boolean;
  introStatus?: string;
  introRequestedBy?: string;
  introRequestedAt?: string;
}

export interface PersonCard extends Asked {
  id: string;
  name: string;
  linkedinId?: string;
  position?: string;
  company?: string;
}

export interface CompanyCard {
  id: string;
  name: string;
  companyId?: string;
  industry?: string;
  headquartersLocation?: string;
  minSize?: number;
  maxSize?: number;
}

export interface Evidence { kind: string; at: string; source?: string; note?: string }

export interface WarmPath {
  fromUserId: string;
  fromUserName: string;
  connector: { id: string; name: string; position?: string; company?: string };
  connectionType: PathType;
  warmness: number;
  userToConnectorWarmness: number;
  userToConnectorBreakdown?: Breakdown;
  userToConnectorSignals?: string[];
  connectorToProspectWarmness: number;
  connectorToProspectBreakdown: Breakdown;
  connectorToProspectSignals?: string[];
  userToConnectorEvidence?: Evidence[];
  connectorToProspectEvidence?: Evidence[];
  target?: PersonCard;
  viaAdvocate?: PersonCard & { warmness?: number };
  alternatives?: number;
}

export interface Paging {
  totalCount: number;
  returnedCount: number;
  limit: number;
  offset: number;
  nextOffset?: number;
  hasMore: boolean;
}

export interface Coverage {
  capped: boolean;
  candidatePeople: number;
  candidatePeopleCap?: number;
  secondDegreeEdgesCapped: boolean;
}

export interface Match { by?: string; alternatives: (PersonCard & CompanyCard)[]; others: number }
export interface Reason { code: string; message: string }

export interface PathAnswer {
  prospect: PersonCard | null;
  company: CompanyCard | null;
  paths: WarmPath[];
  excludedIntroRequested: number;
  coverage: Coverage;
  match?: Match;
  reasons?: Reason[];
}
export type PathPage = PathAnswer & Paging;

export interface Person extends Asked {
  id: string;
  name: string;
  linkedinId?: string;
  position?: string;
  city?: string;
  currentCompany?: { id: string; name: string; industry?: string };
  connectionsCount: number;
  degree: 'first' | 'second';
  warmness?: number;
  warmnessBreakdown?: Breakdown;
  warmnessSignals?: string[];
  evidence?: Evidence[];
}

export interface PersonHit extends PersonCard {
  city?: string;
  warmness?: number;
  degree: 'first' | 'second';
  knownByUserIds: string[];
}

export interface Listed extends Asked {
  id: string;
  name: string;
  linkedinId?: string;
  position?: string;
  currentCompany?: string;
  city?: string;
  country?: string;
  warmness?: number;
  warmnessSignals?: string[];
  viaConnector?: { id: string; name: string };
}

export type ContactPage = { connections: Listed[] } & Paging;
export type BehindPage = ContactPage & { scannedBridges: number; capped: boolean };
export type NetworkPage = ContactPage & { person: Listed; excludedIntroRequested: number; coverage: string };

export interface Opportunity {
  id: string;
  prospect: PersonCard;
  overallScore?: number;
  priority?: string;
  confidenceLevel?: number;
  status: string;
  introRequested?: boolean;
  discoveredAt?: string;
  searchSource?: string;
  icpEvaluation?: Breakdown;
  buyingIntent?: Breakdown;
  keyInsights?: Breakdown;
  bestPath?: {
    connectionId?: string; connectionName?: string; connectionType?: string; position?: string; company?: string;
    strengthScore?: number; userToHomieWarmness?: number;
  };
  discoveredBy?: { id: string; name: string };
}
export type OpportunityPage = { opportunities: Opportunity[] } & Paging;

export interface NetworkHit {
  person: { id: string; name: string; position?: string; city?: string; country?: string };
  currentCompany?: { id: string; name: string; industry?: string };
  warmness?: number;
  connectionSources: { type: string; name?: string }[];
  matched?: Matched[];
}
export interface NetworkAnswer {
  data: NetworkHit[];
  meta: {
    searchTerms: string[]; totalCount: number; returnedCount: number; backend: string;
    fallback?: { from: string; reason: string };
    understood?: Understood[];
    ignored?: string[];
    counts?: { every: number; most: number; any: number };
  };
}

/** A condition that a question was read as. */
export interface Understood {
  term: string; kind: string; negated: boolean; past: boolean; readAs?: string; widenedTo?: string[]; people: number;
}
/** What of a person a condition was fitted by; `term` is a place in `understood`. */
export interface Matched { term: number; field: string; text: string; how: string }

export interface BatchEntry extends Partial<PathAnswer> { index: number; error?: string; totalCount?: number }
export interface BatchAnswer {
  data: {
    results: BatchEntry[];
    connectors: { connector: { id: string; name: string; company?: string }; fromUserId: string; targets: number }[];
  };
  meta: { capped: boolean };
}

export type ChangeKind = 'reachable' | 'unreachable' | 'warmer' | 'colder' | 'connector' | 'position' | 'company';
/** The best way, a company, or a position; which of them the kind says. */
export type ChangedValue = { warmness: number; connectionType: PathType; connector: { id: string; name: string } } | { id: string; name: string } | string;
export interface Change { kind: ChangeKind; person: PersonCard; before: ChangedValue | null; after: ChangedValue | null }
export type ChangePage = { changes: Change[]; since: number; generation: number } & Paging;

export interface Session {
  organization: { id: string; name: string };
  member?: { userId: string; personId: string; name: string };
  /** Whether the server has the report of the import behind the network. */
  report?: boolean;
  /** The generation in service, and the one before it if the server keeps it. */
  generation: number;
  before: number | null;
}

interface Rows { read: number; used: number; merged: number; skipped: number }
export interface ImportReport {
  files: ({ file: string; format: string; skips: { line: number; reason: string }[]; skipsLeft?: number; fault?: string } & Rows)[];
  filesLeft?: number;
  totals: Rows;
  asOf: string;
  network: {
    people: number; members: number; advocates: number; reached: number; edges: number;
    withHandle: number; withEmail: number; withCompany: number;
  };
  notes: { file?: string; line?: number; note: string }[];
  notesLeft?: number;
}
