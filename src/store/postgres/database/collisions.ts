import { isCollision } from './unavailable.ts'

const MOST = 5

/** Does it again where two transactions stood in each other's way: of the one that was given up nothing was kept. */
export async function despiteCollisions<T>(work: () => Promise<T>): Promise<T> {
  for (let collisions = 0; ; collisions++) {
    try {
      return await work()
    } catch (error) {
      if (!isCollision(error) || collisions === MOST) throw error
    }
  }
}
