import { useConnection } from '../../api/live.ts'
import classes from './runs-page.module.css'

/** That the list keeps itself true; where it cannot, the bar above the page says so. */
export function LiveMark() {
  return useConnection() === 'online' ? <span className={classes.live}>Live</span> : null
}
