import type { FormField } from './form-fields.ts'

/** What browsers fill in by themselves, by words that people call such fields. */
const KNOWN: readonly (readonly [words: RegExp, attributes: string])[] = [
  [/^(first|given) name$|^firstname$/, 'autocomplete="given-name"'],
  [/^(last|family) name$|^lastname$|^surname$/, 'autocomplete="family-name"'],
  [/^(full |your )?name$/, 'autocomplete="name"'],
  [/^(tele)?phone( number)?$|^mobile( number)?$|^tel$/, 'autocomplete="tel" inputmode="tel"'],
  [/^company( name)?$|^organi[sz]ation$/, 'autocomplete="organization"'],
  [/^street( address)?$|^address$/, 'autocomplete="street-address"'],
  [/^city$|^town$/, 'autocomplete="address-level2"'],
  [/^zip( code)?$|^post(al )? ?code$/, 'autocomplete="postal-code"'],
  [/^country$/, 'autocomplete="country-name"'],
  [/^website$|^url$|^web ?site$|^link$/, 'autocomplete="url" inputmode="url"']
]

/** The type of an input and what a phone needs to show the right keys for it. */
export function keyboardOf({ type, name, label }: FormField): string {
  switch (type) {
    case 'number':
      return 'type="number" step="any" inputmode="decimal"'
    case 'email':
      return 'type="email" inputmode="email" autocomplete="email"'
    case 'date':
      return 'type="date"'
    default:
      return `type="text"${known(name) ?? known(label) ?? ''}`
  }
}

function known(words: string): string | undefined {
  const plain = words.toLowerCase().replaceAll(/[_-]+/g, ' ').trim()
  const attributes = KNOWN.find(([pattern]) => pattern.test(plain))?.[1]
  return attributes === undefined ? undefined : ` ${attributes}`
}
