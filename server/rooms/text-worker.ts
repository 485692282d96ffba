/** The thread of text-threads.ts. */
import { answerJobs } from '../job-threads.ts'
import { performTextJob } from './text-jobs.ts'

answerJobs(performTextJob, ({ bytes }) => [bytes.buffer])
