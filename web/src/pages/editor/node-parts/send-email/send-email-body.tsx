import { NodeForm } from '../../fields/node-form.tsx'
import type { NodePartProps } from '../../node-part.ts'
import { MailPreview } from './mail-preview.tsx'
import classes from './send-email.module.css'

/** The fields of a mail, and the mail that comes of them with the last data. */
export function SendEmailBody({ node, fields }: NodePartProps) {
  return (
    <div className={classes.body}>
      <NodeForm node={node} fields={fields} />
      <MailPreview node={node} />
    </div>
  )
}
