import { createContext, useContext } from 'react'
import type { Api } from './client.ts'

export const ApiContext = createContext<Api | undefined>(undefined)

export function useApi(): Api {
  const api = useContext(ApiContext)
  if (api === undefined) throw new Error('useApi is used outside of <ApiContext>')
  return api
}
