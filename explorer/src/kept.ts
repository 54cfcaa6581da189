/** What the browser keeps between two visits, and nobody else: lists and how tables are shown. */

/** The value kept under `name`; `otherwise` if there is none, or storage is switched off. */
export function kept<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`kith-${name}`);
    return text === null ? otherwise : JSON.parse(text) as T;
  } catch {
    return otherwise;
  }
}

/** Keeps `value` under `name`; `undefined` removes it. Without storage it stays for as long as the page. */
export function keep(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(`kith-${name}`);
    else localStorage.setItem(`kith-${name}`, JSON.stringify(value));
  } catch { /* Storage is full or switched off. */ }
}
