/** The worker thread of text-worker-pool.ts. */
import { handleJobs } from '../worker-pool.ts'
import { performTextJob } from './text-jobs.ts'

handleJobs(performTextJob, ({ bytes }) => [bytes.buffer])
