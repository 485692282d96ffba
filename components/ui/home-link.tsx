import Link from 'next/link'
import { commonStrings } from '@/lib/strings/common.ts'
import { Logo } from './logo.tsx'

/** The name of the product, which leads to the list of documents. */
export const HomeLink = () => (
  <Link href="/" prefetch className="flex items-center gap-2.5 rounded-lg font-serif text-xl font-semibold">
    <Logo /> {commonStrings.product}
  </Link>
)
