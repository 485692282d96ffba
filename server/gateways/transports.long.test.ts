/** The contract of transports over a real server, by the ways that transports.test.ts leaves out. */
import { describeVariants } from './transport-variants.ts'

describeVariants('other')
