import { LongMessage } from '../design/long-message.tsx'
import classes from './approval-parts.module.css'

/** Its first line is what is asked; the lines below it are what one reads to decide. */
export function Question({ text }: { readonly text: string }) {
  const [asked = '', ...details] = text.trim().split('\n')
  const below = details.join('\n').trim()
  return (
    <>
      <LongMessage message={asked} className={classes.question!} />
      {below !== '' && <LongMessage message={below} className={classes.details!} />}
    </>
  )
}
