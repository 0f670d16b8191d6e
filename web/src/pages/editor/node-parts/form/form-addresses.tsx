import { useApi } from '../../../../api/api-context.ts'
import { CopyButton } from '../../../../design/copy-button.tsx'
import { IconExternalLink } from '../../../../design/icons/editor-icons.ts'
import { useLiveFlow } from '../../editor-context.ts'
import fieldClasses from '../../fields/fields.module.css'
import type { FieldPartProps } from '../../node-part.ts'
import { ShownAddress } from '../shown-address.tsx'
import classes from '../webhook/webhook-fields.module.css'

/** By the slug that is live: until another is published, that is where the form is. */
function useFormAddress(): string {
  const { base } = useApi()
  const slug = useLiveFlow((flow) => flow.slug)
  return `${base.replace(/\/+$/, '')}/form/${encodeURIComponent(slug)}`
}

/** Where the form is opened. */
export function FormLinkField({ labelId, describedBy, faultList }: FieldPartProps) {
  const address = useFormAddress()
  return (
    <>
      <ShownAddress {...{ address, labelId, describedBy }}>
        <CopyButton text={address} label="Copy the link" />
        <a
          className={`${fieldClasses.tool} nodrag`}
          href={address}
          target="_blank"
          rel="noreferrer"
          aria-label="Open the form"
          title="Open the form"
        >
          <IconExternalLink size={15} aria-hidden />
        </a>
      </ShownAddress>
      {faultList}
    </>
  )
}

/** HTML for a page of one's own. */
export function FormEmbedField({ node, labelId, describedBy, faultList }: FieldPartProps) {
  const address = useFormAddress()
  const { title } = node.fields
  const named = typeof title === 'string' && title.trim() !== '' ? title.trim() : 'Form'
  const html = `<iframe src="${quoted(address)}" title="${quoted(named)}" width="100%" height="700" style="border:0"></iframe>`
  return (
    <div className={classes.curl}>
      <textarea
        aria-labelledby={labelId}
        {...(describedBy === '' ? {} : { 'aria-describedby': describedBy })}
        className={`${classes.command} nodrag`}
        rows={3}
        value={html}
        readOnly
        spellCheck={false}
      />
      <div className={classes.copy}>
        <CopyButton text={html} label="Copy the HTML" />
      </div>
      {faultList}
    </div>
  )
}

function quoted(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}
