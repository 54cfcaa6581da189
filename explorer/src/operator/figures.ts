/** What the page shows of readings: figures, what should be looked at, and numbers in words. */

import type { Reading } from './samples.ts';
import { growth, labelled, quantile, sum } from './samples.ts';

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
export const count = (value: number | undefined): string => value === undefined ? '–' : number.format(value);

export function bytes(value: number | undefined): string {
  if (value === undefined) return '–';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let [left, at] = [value, 0];
  while (left >= 1024 && at < units.length - 1) [left, at] = [left / 1024, at + 1];
  return `${number.format(left)} ${units[at]}`;
}

export function seconds(value: number | undefined): string {
  if (value === undefined) return '–';
  if (value < 0.001) return `${number.format(value * 1e6)} µs`;
  return value < 1 ? `${number.format(value * 1e3)} ms` : `${number.format(value)} s`;
}

export function share(value: number | undefined): string {
  return value === undefined ? '–' : `${number.format(value * 100)} %`;
}

/** How long ago `time` was, in seconds since 1970. */
export function ago(time: number | undefined, now: number): string {
  if (!time) return 'never';
  const past = Math.max(0, now / 1000 - time);
  const units: [number, string][] = [[86_400, 'day'], [3_600, 'hour'], [60, 'minute'], [1, 'second']];
  const [size, unit] = units.find(([size]) => past >= size) ?? units.at(-1)!;
  const whole = Math.floor(past / size);
  return `${whole} ${unit}${whole === 1 ? '' : 's'} ago`;
}

const DURATIONS = 'kith_request_duration_seconds';
/** What callers ask: the rest are probes, scrapes and the files of pages. */
export const isAsked = (labels: Record<string, string>): boolean => /^\/(api|mcp)\b/.test(labels['route'] ?? '');

export interface Figures { rate: number; late?: number; capped?: number; sheds: number; memory?: number; connections?: number }

/** The figures between two readings; since the start if there is one alone. */
export function figures(before: Reading | undefined, after: Reading): Figures {
  const asked = growth(before, after, 'kith_requests_total', isAsked);
  const began = before ? before.at / 1000 : sum(after, 'process_start_time_seconds') ?? after.at / 1000;
  return {
    rate: asked / Math.max(1, after.at / 1000 - began),
    late: quantile(0.99, before, after, DURATIONS, isAsked),
    capped: asked ? growth(before, after, 'kith_answers_capped_total') / asked : undefined,
    sheds: growth(before, after, 'kith_sheds_total') + growth(before, after, 'kith_memory_sheds_total'),
    memory: sum(after, 'process_resident_memory_bytes'),
    connections: sum(after, 'kith_connections'),
  };
}

export interface RouteFigures { route: string; asked: number; failed: number; capped: number; half?: number; late?: number; latest?: number }

/** Each route since the start, those of the API first, the most asked ones before the others. */
export function routes(reading: Reading): RouteFigures[] {
  const of = (route: string): RouteFigures => {
    const fits = (labels: Record<string, string>) => labels['route'] === route;
    return {
      route, asked: sum(reading, 'kith_requests_total', fits) ?? 0,
      failed: sum(reading, 'kith_requests_total', (labels) => fits(labels) && /^5/.test(labels['status'] ?? '')) ?? 0,
      capped: sum(reading, 'kith_answers_capped_total', fits) ?? 0,
      half: quantile(0.5, undefined, reading, DURATIONS, fits),
      late: quantile(0.95, undefined, reading, DURATIONS, fits), latest: quantile(0.99, undefined, reading, DURATIONS, fits),
    };
  };
  const rank = (one: RouteFigures) => isAsked({ route: one.route }) ? 0 : 1;
  return labelled(reading, 'kith_requests_total', 'route').map(of).sort((a, b) => rank(a) - rank(b) || b.asked - a.asked);
}

/** What an operator should look at now, in sentences; `first` is the first reading of this page. */
export function warnings(first: Reading, now: Reading, ready: string): string[] {
  const is = (name: string) => sum(now, name);
  const grew = (name: string) => growth(first, now, name) > 0 && first !== now;
  const refused = is('kith_reload_last_refused') ?? 0;
  const failed = sum(now, 'kith_requests_total', (labels) => /^5/.test(labels['status'] ?? '') && labels['status'] !== '503' && isAsked(labels)) ?? 0;
  return [
    ready !== 'ready' && `Not ready: ${ready}.`,
    refused > 0 && `The last reload refused ${count(refused)} ${refused === 1 ? 'snapshot' : 'snapshots'}: what was in service before stays. The log and the answer to a reload say why.`,
    is('kith_credential_store_usable') === 0 && 'The credential store cannot be read: no key and no token is let in.',
    is('kith_jwks_keys') === 0 && 'There is no key to check JWTs with: none is let in.',
    is('kith_suppression_list_fault') === 1 && 'The list of people to forget cannot be read.',
    (is('kith_provider_breaker_open') ?? 0) > 0 && 'The language-model provider failed again and again; the built-in parser serves.',
    failed > 0 && `${count(failed)} ${failed === 1 ? 'request' : 'requests'} failed since the start: take a request id from the log.`,
    (grew('kith_sheds_total') || grew('kith_memory_sheds_total')) && 'Requests were sent away since this page was opened.',
    grew('kith_log_lines_dropped_total') && 'Lines of the log were lost: nobody reads stderr fast enough.',
  ].filter((one) => typeof one === 'string');
}
