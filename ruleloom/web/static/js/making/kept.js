// The people whom this browser keeps while they are made: each the text of a file, and which of its records it is.

const KEPT = "ruleloom-people", MOST = 60;

/** Those who are kept, the last one touched first; without what nothing can be read of. */
export function people() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return found.filter((one) => one && typeof one.text === "string").sort((one, other) => other.touched - one.touched);
  } catch { return []; }
}

function keepAll(found) {
  try { localStorage.setItem(KEPT, JSON.stringify(found.slice(0, MOST))); return true; } catch { return false; }
}

export const newKey = () => Math.random().toString(36).slice(2, 12);

/** Keep a person; false where the browser keeps nothing. */
export const keepPerson = (person) => keepAll([{ ...person, touched: Date.now() }, ...people().filter((one) => one.key !== person.key)]);

export const forgetPerson = (key) => keepAll(people().filter((one) => one.key !== key));
