import type { JsonValue } from '../../../../../src/flows/json/exact-json.ts'
import { nearestTemplate } from '../../../editor/arrival/nearest-template.ts'
import type { FlowTemplate } from '../../flows/templates/flow-template.ts'
import { GALLERY } from '../../flows/templates/gallery.ts'

/**
 * The worked flow that begins with much the same. A file of its own, loaded with the gallery: were the gallery itself loaded by
 * its name, the build would make of it an object, and everybody would wait for the code that makes one.
 */
export function nearestOfGallery(payload: JsonValue): FlowTemplate | undefined {
  return nearestTemplate(GALLERY, payload)
}
