// Changes what the API replaces as a whole, such as the people of a group.
import { toastError } from '../components/toast.tsx';
import { call, dataOf, useChange, type Args, type Change, type Data, type Operation } from './client.ts';

/**
 * Mutation for a list that the API replaces: `rewrite((now) => body)` reads the record again right before, so that what
 * somebody else changed meanwhile stays. `args` are those of both operations, besides the body.
 */
export function useRewrite<R extends Operation, W extends Operation>(
  read: R,
  write: W,
  args: Args<R>,
  change: Change<W>,
) {
  const { mutate, isPending } = useChange(write, change);
  const rewrite = async (bodyOf: (now: Data<R>) => object) => {
    const now = dataOf(await call(read, args)) as Data<R>;
    mutate({ ...args, body: bodyOf(now) } as unknown as Args<W>);
  };
  return {
    busy: isPending,
    rewrite: (bodyOf: (now: Data<R>) => object) => void rewrite(bodyOf).catch(toastError),
  };
}
