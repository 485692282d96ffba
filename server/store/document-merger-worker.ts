/** Merges documents one after the other. */
import { handleJobs } from '../worker-pool.ts'
import { mergeUpdates } from './merge-updates.ts'

handleJobs(mergeUpdates, (merged) => (merged ? [merged.state.buffer, merged.stateVector.buffer] : []))
