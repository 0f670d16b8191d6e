import type { Explanation } from '../../../api/contexts.ts'
import { IconQuestionMark } from '../../../design/icons/contexts-icons.ts'
import { IconEye, IconEyeOff } from '../../../design/icons/page-icons.ts'
import classes from './visible.module.css'

interface ExplanationCardProps {
  readonly answer: Explanation
  readonly onChoose: (path: string) => void
}

export function ExplanationCard({ answer, onChoose }: ExplanationCardProps) {
  const { verdict, Icon } = verdictOf(answer)
  const places = answer.visible
    ? [answer.registered_in]
    : answer.elsewhere.map(({ registered_in }) => registered_in)
  return (
    <section className={classes.answer} data-verdict={verdict} aria-label="Explanation">
      <Icon size={20} aria-hidden className={classes.verdictIcon} />
      <div className={classes.answerWords}>
        <strong className={classes.verdict}>{verdict}</strong>
        <p>{answer.explanation}</p>
        {!answer.visible && (
          <p>
            <strong>What to do:</strong> {answer.remedy}
          </p>
        )}
        {places.length > 0 && (
          <p className={classes.places}>
            Registered in{' '}
            {[...new Set(places)].map((place) => (
              <button key={place} type="button" className={classes.place} onClick={() => onChoose(place)}>
                {place}
              </button>
            ))}
          </p>
        )}
      </div>
    </section>
  )
}

function verdictOf(answer: Explanation): { verdict: string; Icon: typeof IconEye } {
  if (answer.visible) return { verdict: 'Visible', Icon: IconEye }
  return answer.because === 'unknown'
    ? { verdict: 'Unknown', Icon: IconQuestionMark }
    : { verdict: 'Hidden', Icon: IconEyeOff }
}
