/** The contract of transports over two nodes; forwarded-transports.long.test.ts has the other variants. */
import { describeForwardedTransports } from './fixtures/forwarded-transports.ts'

describeForwardedTransports('representative')
