import type { JsonValue } from '../../../../../src/flows/json/exact-json.ts'
import type { SeenConnection } from '../../../api/connections.ts'
import { firstTemplate } from '../../../editor/template/first-template.ts'
import type { Offer } from '../components/offers.ts'

/** A template that would begin with a guess begins with the keys that came where it is wired to, instead. */
export function begunWithKeys(offer: Offer, came: JsonValue | undefined): Offer {
  const field = offer.facts?.fields.template
  if (field?.kind !== 'template' || field.default === '' || offer.fields?.template !== undefined) return offer
  const template = firstTemplate(came)
  return template === undefined ? offer : { ...offer, fields: { ...offer.fields, template } }
}

/** A trigger that has a time zone begins with that of whoever adds it: hours are mostly meant as they read them. */
export function begunHere(offer: Offer, ownZone: string): Offer {
  const zone = offer.facts?.fields.timezone
  if (offer.facts?.trigger == null || zone === undefined || zone.default === ownZone) return offer
  return { ...offer, fields: { timezone: ownZone, ...offer.fields } }
}

/** What cannot do without a connection begins with the one that fits, where there is no other to choose from. */
export function begunWithConnection(offer: Offer, seen: readonly SeenConnection[]): Offer {
  if (offer.facts === undefined) return offer
  const { type, fields } = offer.facts
  const isDescribed = ({ document }: SeenConnection) => type !== OPERATION || document !== null
  const chosen = Object.entries(fields).flatMap(([name, field]) => {
    if (field.kind !== 'connection' || field.optional === true) return []
    const [only, ...others] = seen.filter((one) => field.kinds.includes(one.kind) && isDescribed(one))
    return only === undefined || others.length > 0 ? [] : [[name, only.name]]
  })
  return chosen.length === 0
    ? offer
    : { ...offer, fields: { ...Object.fromEntries(chosen), ...offer.fields } }
}

/** What it calls is looked up in the document of its connection. */
const OPERATION = 'api-operation'
