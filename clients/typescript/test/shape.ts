// Readers of answers. A reader of an object names every field of its type, no more and no fewer: a field that is added to
// or taken from openapi.json, or that is no longer optional, is a fault of types here. At run time a reader checks an answer.

export interface Reader<Type> {
    check(value: unknown, place: string): void;
    /** Binds the reader to its type, and to no wider or narrower one. */
    readonly type?: (value: Type) => Type;
}

/** A field that may be left out. */
export interface Optional<Type> {
    optional: Reader<Type>;
}

type Fields<Type> = {
    [Name in keyof Type]-?: {} extends Pick<Type, Name>
        ? Optional<Exclude<Type[Name], undefined>>
        : Reader<Type[Name]>;
};

function fail(place: string, value: unknown, wanted: string): never {
    throw new Error(`${place} is ${JSON.stringify(value)}; expected ${wanted}`);
}

function kind<Type>(name: string, fits: (value: unknown) => boolean): Reader<Type> {
    return { check: (value, place) => (fits(value) ? undefined : fail(place, value, name)) };
}

export const text = kind<string>("a text", (value) => typeof value === "string");
export const number = kind<number>("a number", (value) => typeof value === "number");
export const flag = kind<boolean>("true or false", (value) => typeof value === "boolean");
export const yes = kind<true>("true", (value) => value === true);

/** One of `names`, which are all that the type has: each stands as a key. */
export function oneOf<Name extends string>(names: { [Each in Name]: true }): Reader<Name> {
    return kind(Object.keys(names).join(", "), (value) => typeof value === "string" && Object.hasOwn(names, value));
}

export function optional<Type>(reader: Reader<Type>): Optional<Type> {
    return { optional: reader };
}

export function orNull<Type>(reader: Reader<Type>): Reader<Type | null> {
    return { check: (value, place) => (value === null ? undefined : reader.check(value, place)) };
}

export function list<Type>(reader: Reader<Type>): Reader<Type[]> {
    const check = (value: unknown, place: string) => {
        for (const [index, item] of Array.isArray(value) ? value.entries() : fail(place, value, "a list")) {
            reader.check(item, `${place}[${index}]`);
        }
    };
    return { check };
}

/** Any names, each with a value that fits. */
export function mapping<Type>(fits: (value: unknown) => boolean): Reader<Type> {
    return kind("a mapping", (value) => typeof value === "object" && value !== null && Object.values(value).every(fits));
}

/** What an object has beside the fields of its type. Spread fields would pass otherwise. */
type NoOther<Type, Given> = { [Name in Exclude<keyof Given, keyof Type>]: never };

export function object<Type>() {
    return <Given extends Fields<Type>>(fields: Given & NoOther<Type, Given>): Reader<Type> => ({ check: reading(fields) });
}

function reading(fields: object): Reader<unknown>["check"] {
    const readers = new Map<string, Reader<unknown> | Optional<unknown>>(Object.entries(fields));
    return (value, place) => {
        if (typeof value !== "object" || value === null || Array.isArray(value)) {
            fail(place, value, "an object");
        }
        for (const [name, item] of Object.entries(value)) {
            const reader = readers.get(name) ?? fail(`${place}.${name}`, item, "no such field");
            ("optional" in reader ? reader.optional : reader).check(item, `${place}.${name}`);
        }
        for (const [name, reader] of readers) {
            if (!("optional" in reader) && !Object.hasOwn(value, name)) {
                fail(`${place}.${name}`, undefined, "a value");
            }
        }
    };
}
