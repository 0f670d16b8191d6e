import { useState } from 'react'
import { type Message, type Rating, useRateMessage } from '../../api/messages.ts'
import { notifyProblem } from '../../design/notify.tsx'
import classes from './message-view.module.css'

const THUMB =
  'M7 11v8a1 1 0 0 1 -1 1h-2a1 1 0 0 1 -1 -1v-7a1 1 0 0 1 1 -1h3a4 4 0 0 0 4 -4v-1a2 2 0 0 1 4 0v5h3a2 2 0 0 1 2 2l-1 5a2 3 0 0 1 -2 2h-7a3 3 0 0 1 -3 -3'

const RATINGS = { good: 'Good answer', bad: 'Bad answer' } as const

/** Said again, it is taken back. */
export function RateMessage({ flow, message }: { readonly flow: string; readonly message: Message }) {
  const { said: before, rate } = useRateMessage(flow, message)
  const [rating, setRating] = useState<Rating | null>(before)
  const choose = (said: Rating) => {
    const next = said === rating ? null : said
    setRating(next)
    rate(next).catch((error) => {
      setRating(rating)
      notifyProblem(error)
    })
  }
  return (
    <>
      {(['good', 'bad'] as const).map((said) => (
        <button
          key={said}
          type="button"
          className={classes.tool}
          title={RATINGS[said]}
          aria-label={RATINGS[said]}
          aria-pressed={rating === said}
          onClick={() => choose(said)}
        >
          <svg
            width={16}
            height={16}
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            strokeWidth={2}
            transform={said === 'bad' ? 'rotate(180)' : undefined}
            aria-hidden
          >
            <path d={THUMB} />
          </svg>
        </button>
      ))}
    </>
  )
}
