// Says hello to a server: what it is, a table made and watched, a refusal read.

import { randomUUID } from "node:crypto";
import { ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";

import { Rank, Suit } from "../gen/sedma/v1/card_pb.js";
import { ErrorReason, RefusalSchema } from "../gen/sedma/v1/error_pb.js";
import { ServerService } from "../gen/sedma/v1/server_service_pb.js";
import { TableService } from "../gen/sedma/v1/table_service_pb.js";
import { TrickService } from "../gen/sedma/v1/trick_service_pb.js";
import type { WatchTableResponse } from "../gen/sedma/v1/watch_pb.js";

const target = process.env["SEDMA_TARGET"] ?? "localhost:50051";
const transport = createGrpcTransport({ baseUrl: `http://${target}`, defaultTimeoutMs: 10_000 });
const server = createClient(ServerService, transport);
const tables = createClient(TableService, transport);
const tricks = createClient(TrickService, transport);

/** The first message of a watch, which is then left. */
async function firstSeen(name: string): Promise<WatchTableResponse> {
  for await (const message of tables.watchTable({ name })) {
    return message;
  }
  throw new Error("the watch ended before its first message");
}

/** The name of the reason for which the table refused an action, or "" if it did not. */
function refusal(error: unknown): string {
  const [refusal] = ConnectError.from(error).findDetails(RefusalSchema);
  return refusal === undefined ? "" : `ERROR_REASON_${ErrorReason[refusal.reason]}`;
}

const info = await server.getServerInfo({});
const created = await tables.createTable({
  requestId: randomUUID(),
  rules: { game: { case: "sedma", value: { preset: "two" } } },
});
const name = created.view?.table?.name ?? "";
const first = await firstSeen(name);
const refused = await tricks
  .playCard({
    name,
    requestId: randomUUID(),
    expectedRevision: first.revision,
    seat: 1,
    card: { rank: Rank.ACE, suit: Suit.HEARTS },
  })
  .then(() => "", refusal);

console.log(
  JSON.stringify({
    client: "typescript",
    version: info.version,
    revision: Number(first.revision), // stays below 2^53
    seats: first.payload.case === "snapshot" ? first.payload.value.table?.seats.length : 0,
    refusal: refused,
  }),
);
