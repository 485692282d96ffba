/** The contract of transports over two nodes, for the variants that forwarded-transports.test.ts leaves out. */
import { describeForwardedTransports } from './fixtures/forwarded-transports.ts'

describeForwardedTransports('other')
