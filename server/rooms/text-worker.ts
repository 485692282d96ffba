/** The thread of text-threads.ts. */
import { handleJobs } from '../worker-pool.ts'
import { performTextJob } from './text-jobs.ts'

handleJobs(performTextJob, ({ bytes }) => [bytes.buffer])
