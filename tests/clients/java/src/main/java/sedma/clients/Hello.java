package sedma.clients;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import sedma.v1.Card;
import sedma.v1.CreateTableRequest;
import sedma.v1.GameRules;
import sedma.v1.GetServerInfoRequest;
import sedma.v1.PlayCardRequest;
import sedma.v1.Rank;
import sedma.v1.Refusal;
import sedma.v1.SedmaRules;
import sedma.v1.ServerServiceGrpc;
import sedma.v1.Suit;
import sedma.v1.TableServiceGrpc;
import sedma.v1.TrickServiceGrpc;
import sedma.v1.WatchTableRequest;

/** Says hello to a server: what it is, a table made and watched, a refusal read. */
public final class Hello {
  private static final long DEADLINE_SECONDS = 10;

  private Hello() {}

  public static void main(String[] args) {
    String target = System.getenv().getOrDefault("SEDMA_TARGET", "localhost:50051");
    ManagedChannel channel =
        Grpc.newChannelBuilder(target, InsecureChannelCredentials.create()).build();
    try {
      System.out.println(hello(channel));
    } finally {
      channel.shutdownNow();
    }
  }

  private static String hello(ManagedChannel channel) {
    var server = ServerServiceGrpc.newBlockingStub(channel);
    var tables = TableServiceGrpc.newBlockingStub(channel);
    var tricks = TrickServiceGrpc.newBlockingStub(channel);

    var info =
        server
            .withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS)
            .getServerInfo(GetServerInfoRequest.getDefaultInstance());

    var rules = GameRules.newBuilder().setSedma(SedmaRules.newBuilder().setPreset("two"));
    var created =
        tables
            .withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS)
            .createTable(
                CreateTableRequest.newBuilder().setRequestId(uuid()).setRules(rules).build());
    String name = created.getView().getTable().getName();

    var first =
        tables
            .withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS)
            .watchTable(WatchTableRequest.newBuilder().setName(name).build())
            .next();

    String refusal = "";
    try {
      tricks
          .withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS)
          .playCard(
              PlayCardRequest.newBuilder()
                  .setName(name)
                  .setRequestId(uuid())
                  .setExpectedRevision(first.getRevision())
                  .setSeat(1)
                  .setCard(Card.newBuilder().setRank(Rank.RANK_ACE).setSuit(Suit.SUIT_HEARTS))
                  .build());
    } catch (StatusRuntimeException error) {
      refusal = refusal(error);
    }

    return String.format(
        "{\"client\":\"java\",\"version\":\"%s\",\"revision\":%d,\"seats\":%d,\"refusal\":\"%s\"}",
        info.getVersion(),
        first.getRevision(),
        first.getSnapshot().getTable().getSeatsCount(),
        refusal);
  }

  /** The name of the reason for which the table refused an action, or "" if it did not. */
  private static String refusal(StatusRuntimeException error) {
    var status = StatusProto.fromThrowable(error);
    if (status == null) {
      return "";
    }
    for (Any detail : status.getDetailsList()) {
      if (detail.is(Refusal.class)) {
        try {
          return detail.unpack(Refusal.class).getReason().name();
        } catch (InvalidProtocolBufferException unreadable) {
          return "";
        }
      }
    }
    return "";
  }

  private static String uuid() {
    return UUID.randomUUID().toString();
  }
}
