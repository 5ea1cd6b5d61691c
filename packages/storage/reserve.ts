// Disk space that uploads keep free: the database may be on the same disk, and must stay writable when there is no room
// for more files.
import { mkdir, statfs } from 'node:fs/promises';

export interface Space {
  readonly free: number;
  readonly whole: number;
}

const GIB = 1024 ** 3;

/** Returns the space of the folder's disk; creates the folder if needed. */
export async function spaceOf(folder: string): Promise<Space> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, whole: blocks * bsize };
}

/** Whether `bytes` more leave the reserve free: a twentieth of the disk, at most one GiB. */
export const leavesReserve = ({ free, whole }: Space, bytes: number): boolean =>
  free - bytes >= Math.min(whole / 20, GIB);
