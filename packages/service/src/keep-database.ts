import { type Invitation, invite, inviteFirstAdmin } from "./database/administer.ts";
import { connectDatabase, fold, prepareDatabase, type PrepareOptions } from "./database/connect.ts";

/** Does once what a service does continuously: migrates, keeps months and sums. */
export async function keepDatabase(
  url: string,
  options: PrepareOptions,
): Promise<{ readonly adminCode: string | null; readonly sums: number }> {
  await prepareDatabase(url, options);
  const database = connectDatabase(url, { connections: 1 });
  try {
    let sums = 0;
    for (let changed = await fold(database); changed > 0; changed = await fold(database)) sums += changed;
    return { adminCode: await inviteFirstAdmin(database), sums };
  } finally {
    await database.close();
  }
}

/** Makes a code with the rights of the database's owner. */
export async function inviteAtDatabase(url: string, wanted: Invitation): Promise<string> {
  const database = connectDatabase(url, { connections: 1 });
  try {
    return await invite(database, wanted);
  } finally {
    await database.close();
  }
}
