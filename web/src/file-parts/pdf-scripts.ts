/** What a PDF names that holds a script, or may hide one among objects that are packed or encrypted. */
const NAMES = ['JS', 'JavaScript', 'ObjStm', 'XFA', 'RichMedia', 'Encrypt']

/** Each letter may be written by its code: `/J#53` is `/JS`. */
const MAY_HOLD_SCRIPTS = new RegExp(`/(?:${NAMES.map(spelled).join('|')})(?![A-Za-z0-9])`)

function spelled(name: string): string {
  return Array.from(name, (letter) => {
    const code = letter.charCodeAt(0).toString(16)
    return `(?:${letter}|#${code}|#${code.toUpperCase()})`
  }).join('')
}

/**
 * Whether a PDF may do something by itself when it is opened. Viewers keep its scripts from the page, but let them put up dialogs in
 * its name; and Chromium shows no PDF in a frame that forbids scripts.
 */
export function mayRunScripts(bytes: Uint8Array): boolean {
  return MAY_HOLD_SCRIPTS.test(new TextDecoder('latin1').decode(bytes))
}
