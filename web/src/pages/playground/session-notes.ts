import { useLocalStorage } from '@mantine/hooks'

/** What this browser keeps of a flow's sessions. The service knows a session by what it printed, and by no other name. */
interface SessionNotes {
  /** Those that were made or looked at here, newest first. */
  readonly remembered: readonly string[]
  /** The names that somebody gave them. */
  readonly names: Readonly<Record<string, string>>
}

const NO_NOTES: SessionNotes = { remembered: [], names: {} }
const MOST_REMEMBERED = 30

function remembering(notes: SessionNotes, session: string): SessionNotes {
  if (notes.remembered[0] === session) return notes
  const others = notes.remembered.filter((known) => known !== session)
  return { ...notes, remembered: [session, ...others].slice(0, MOST_REMEMBERED) }
}

function forgetting(notes: SessionNotes, session: string): SessionNotes {
  const { [session]: _name, ...names } = notes.names
  return { names, remembered: notes.remembered.filter((known) => known !== session) }
}

/** An empty name, or the session's own, takes the given one away. */
function naming(notes: SessionNotes, session: string, name: string): SessionNotes {
  const { [session]: _before, ...names } = notes.names
  const given = name.trim().slice(0, 80)
  return given === '' || given === session
    ? { ...notes, names }
    : { ...notes, names: { ...names, [session]: given } }
}

export function nameOfSession(notes: SessionNotes, session: string): string {
  return Object.hasOwn(notes.names, session) ? notes.names[session]! : session
}

/** Whatever another version of the page may have left there. */
function readNotes(text: string | undefined): SessionNotes {
  try {
    const { remembered, names } = JSON.parse(text ?? '') as Partial<SessionNotes>
    return {
      remembered: Array.isArray(remembered) ? remembered.filter((name) => typeof name === 'string') : [],
      names: Object.fromEntries(Object.entries(names ?? {}).filter(([, name]) => typeof name === 'string'))
    }
  } catch {
    return NO_NOTES
  }
}

export function useSessionNotes(flow: string) {
  const [notes, setNotes] = useLocalStorage<SessionNotes>({
    key: `millrace.playground.${flow}`,
    defaultValue: NO_NOTES,
    getInitialValueInEffect: false,
    deserialize: readNotes
  })
  return {
    notes,
    remember: (session: string) => setNotes((before) => remembering(before, session)),
    forget: (session: string) => setNotes((before) => forgetting(before, session)),
    rename: (session: string, name: string) => setNotes((before) => naming(before, session, name))
  }
}
