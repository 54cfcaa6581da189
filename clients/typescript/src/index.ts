export { Kith, KithError, pages, type KithOptions } from "./client.js";
export type { CallOptions } from "./operations.js";
export type * from "./schema.js";
