import { storeContract } from '../contract.test-kit.ts'
import { openSubject } from './sqlite-subject.test-kit.ts'

storeContract('the embedded store', openSubject)
